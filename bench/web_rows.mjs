// SPDX-License-Identifier: Zlib
// Times the module for browsers in node, with vectors and without: web_rows.mjs PACKAGE MAPRES MAP... prints as JSON for each map the
// processor time, in ms, of preparing it and of a view of 640 x 360, the median of five rounds over the 20 views that bench_render
// draws; and the memory of the module after a hundred maps in a row, and with the two largest maps open together.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, mapres, ...paths] = process.argv.slice(2);
const VIEWS = 20, ROUNDS = 5, ROW = 100;
const target = { data: new Uint8ClampedArray(640 * 360 * 4), width: 640, height: 360 };
const load = async (wasm) => {
  const module = await import(pathToFileURL(join(folder, "viewer.js")) + "?" + wasm);
  await module.init(readFileSync(join(folder, wasm)));
  return module;
};
const images = (name) => existsSync(join(mapres, name + ".png")) ? readFileSync(join(mapres, name + ".png")) : null;
const spent = (work) => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];

async function time({ Map, Renderer }, path) {
  const map = await Map.load(readFileSync(path), { images });
  let renderer;
  const prepare = spent(() => { renderer = new Renderer(map); });
  const { width, height } = map.area;
  const all = () => {
    for (let i = 0; i < VIEWS; i++)
      renderer.draw(target, { view: [width * (i % 5 + 0.5) / 5, height * (Math.floor(i / 5) + 0.5) / 4], background: [255, 255, 255, 255] });
  };
  all(); // the engine compiles what runs often
  const view = median(Array.from({ length: ROUNDS }, () => spent(all))) / VIEWS;
  renderer.free();
  map.free();
  return { prepare, view };
}

const modules = { vectors: await load("viewer.simd.wasm"), plain: await load("viewer.wasm") };
const maps = [];
for (const path of paths) {
  const row = { path };
  for (const [name, module] of Object.entries(modules)) row[name] = await time(module, path);
  maps.push(row);
}
const { Map, memorySize, reset } = modules.vectors;
const open = async (path) => {
  const map = await Map.load(readFileSync(path), { images });
  map.render(target, { view: "best" });
  return map;
};
const bySize = [...paths].sort((a, b) => statSync(b).size - statSync(a).size);
reset();
for (const map of [await open(bySize[0]), await open(bySize[1])]) map.free();
const largestTwo = memorySize();
reset();
for (let i = 0; i < ROW; i++) (await open(paths[i % paths.length])).free();
console.log(JSON.stringify({ maps, memory: { row: memorySize(), largestTwo } }));
