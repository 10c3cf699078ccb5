// SPDX-License-Identifier: Zlib
// Memory is given back: by free(), and by the engine when nobody holds a map any more (node --expose-gc). And a module that broke is
// replaced by the next map.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import test from "node:test";
import { corpus, madeMap, teemap } from "./support.mjs";

const { Map } = teemap;
const target = { data: new Uint8ClampedArray(320 * 180 * 4), width: 320, height: 180 };

async function show(path) {
  const map = await Map.load(readFileSync(path));
  map.render(target, { view: "best" });
  map.check();
  return map;
}

/** Bytes of memory when the two largest maps were open together. */
async function largestTwo() {
  const [first, second] = [...corpus].sort((a, b) => statSync(b).size - statSync(a).size);
  teemap.reset();
  const maps = [await show(first), await show(second)];
  const size = teemap.memorySize();
  maps.forEach((map) => map.free());
  teemap.reset();
  return size;
}

const skip = corpus.length ? false : "no corpus";

test("a hundred maps in a row take no more than the largest two", { skip }, async () => {
  const most = await largestTwo();
  for (let i = 0; i < 100; i++) (await show(corpus[i % corpus.length])).free();
  assert.ok(teemap.memorySize() <= most, `${teemap.memorySize()} bytes, of ${most}`);
});

test("maps that nobody holds are given back by the engine", { skip: skip || (globalThis.gc ? false : "node --expose-gc") }, async () => {
  const map = await Map.load(madeMap());
  let forgotten = 0;
  const registry = new FinalizationRegistry(() => forgotten++);
  const one = async () => {
    const lost = await Map.load(madeMap());
    registry.register(lost, 0);
    lost.images[1].pixels.fill(0);
    lost.render(target, { view: [5, 5] });
  };
  const size = [];
  for (let i = 0; i < 150; i++) {
    await one();
    globalThis.gc();
    await new Promise((done) => setTimeout(done, 1));
    size.push(teemap.memorySize());
  }
  assert.ok(forgotten > 100, `${forgotten} were forgotten`);
  assert.ok(size.at(-1) <= size[20] + (4 << 20), `${size[20]} bytes after 20 maps, ${size.at(-1)} after 150`);
  map.free();
});

test("a module that broke is replaced, and says so", async () => {
  const map = await Map.load(madeMap());
  const library = await teemap.init();
  const real = library.exports;
  library.exports = { ...real, tm_map_area() { throw new WebAssembly.RuntimeError("unreachable"); } };
  assert.throws(() => map.area, (error) => error instanceof teemap.TeemapError && error.code === "crash" && /tm_map_area/.test(error.message));
  assert.throws(() => map.area, /load the map again/);
  map.free();
  assert.deepEqual((await Map.load(madeMap())).area, { width: 60, height: 40 });
});
