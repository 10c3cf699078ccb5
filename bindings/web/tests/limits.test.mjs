// SPDX-License-Identifier: Zlib
// What calls may take: timeout, signal and progress end each of them in a short time, with an error that says so, and leave maps as they were.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { PACKAGE, crc32, madeMap, teemap, viewer } from "./support.mjs";

const { Map, Renderer, TeemapError, diff, merge } = teemap;
const SIDE = 300;
const SOON = 2000; // ms in which a call ends whose time is over: after a block that is just being packed

/** Large layers that differ in each tile. */
async function largeMap(seed) {
  const side = SIDE;
  const map = await Map.create(side, side);
  map.edit.run("add layer Game front\nadd group\nadd layer 1 tiles\nadd layer 1 tiles\nadd image grass_main\nadd image unused");
  for (const layer of map.layers) {
    const tiles = layer.tiles.edit();
    let n = seed;
    for (let i = 0; i < tiles.length; i += 4) {
      n = (n * 1103515245 + 12345) & 0x7fffffff;
      tiles[i] = (n >>> 16) % 11;
    }
  }
  map.at("1/0").image = map.at("1/1").image = 0;
  return map;
}

const files = [(await largeMap(1)).save({ level: 1 }), (await largeMap(2)).save({ level: 1 })];
const load = (which = 0, limits = {}) => Map.load(files[which], limits);
const target = { data: new Uint8ClampedArray(1500 * 1000 * 4), width: 1500, height: 1000 };
const patch = diff(await load(0), await load(1));

const RULES = "[A]\nIndex 1\nRandom 50%\nNewRun\nIndex 3\nPos 0 1 INDEX 1\n";

// Each call that takes Limits in teemap.d.ts: it gets a map, limits, another map, and a renderer of the map.
const CALLS = {
  "Map.load": (map, limits) => Map.load(files[0], limits),
  "Map.renderer": (map, limits) => map.renderer(limits),
  "Map.render": (map, limits) => map.render(target, { entities: true, ...limits }),
  "Map.thumbnail": (map, limits) => map.thumbnail(1200, 800, limits),
  "Map.save": (map, limits) => map.save({ recompress: true, level: 9, ...limits }),
  "Map.packed": (map, limits) => map.packed(limits),
  "Map.check": (map, limits) => map.check("strict", limits),
  "Map.lint": (map, limits) => map.lint(limits),
  "Map.rescue": (map, limits) => map.rescue(limits),
  "Map.find": (map, limits) => map.find("freeze where not solid", limits),
  "Map.patch": (map, limits) => map.patch(patch, limits),
  "Map.diff": (map, limits, { other }) => map.diff(other, limits),
  "Map.merge": (map, limits, { other }) => map.merge(map.copy(), other, limits),
  "Map.convert": (map, limits) => map.convert("teeworlds07", limits),
  "Map.optimize": (map, limits) => map.optimize({ images: true, colors: true, ...limits }),
  "Map.automap": (map, limits) => map.automap({ layers: "design", config: "A", rules: () => RULES, ...limits }),
  "Map.size": (map, limits) => map.size(limits),
  "Map.facts": (map, limits) => map.facts(limits),
  "Editor.using": (map, limits) => map.edit.using(limits).run("mirror x\nrotate 90\n".repeat(3)),
  "Renderer": (map, limits) => new Renderer(map, limits),
  "Renderer.draw": (map, limits, { renderer }) => renderer.draw(target, limits),
  "Renderer.picture": (map, limits, { renderer }) => renderer.picture(1500, 1000, limits),
  "Renderer.best": (map, limits, { renderer }) => renderer.best(3, 640, 360, 0, limits),
  "Renderer.find": (map, limits, { renderer }) => renderer.find("best", 640, 360, 0, limits),
  "Patch.apply": (map, limits) => patch.apply(map, limits),
  "diff": (map, limits, { other }) => diff(map, other, limits),
  "merge": (map, limits, { other }) => merge(null, map, other, limits),
};
const other = await load(1);

/** Runs a call on a map of its own: what it ended with, and the checksums of the map before and after. */
async function run(name, limits) {
  const map = await load();
  const renderer = name.startsWith("Renderer.") ? map.renderer({ entities: true }) : null;
  const before = portrait(map);
  let error = null;
  const begin = performance.now();
  try {
    await CALLS[name](map, limits, { other, renderer });
  } catch (reason) {
    error = reason;
  }
  const took = performance.now() - begin;
  const result = { error, took, same: portrait(map) === before };
  renderer?.free();
  map.free();
  return result;
}

/** All of a map as text. */
const portrait = (map) => JSON.stringify([map, map.info, map.settings, map.images, map.groups.map((group) => [group, group.layers.map((layer) =>
  [layer, crc32(layer.tiles.array.slice())])])], (_, value) => (value instanceof Map ? value.area : value));

const changes = ["Map.patch", "Map.convert", "Map.optimize", "Map.automap", "Editor.using", "Patch.apply"];

for (const name of Object.keys(CALLS))
  test(`${name} ends where it is told to`, async () => {
    const ended = (result, code, message) => {
      assert.ok(result.error instanceof TeemapError, `${code}: ${result.error}`);
      assert.equal(result.error.code, code);
      assert.match(result.error.message, message);
      assert.ok(result.same, `${code}: the map changed`);
      assert.ok(result.took < SOON, `${code}: ${result.took} ms`);
    };
    ended(await run(name, { timeout: 1e-6 }), "timeout", /it takes longer than timeout=0.000001 seconds/);
    ended(await run(name, { signal: AbortSignal.abort() }), "cancelled", /cancelled by its signal/);
    ended(await run(name, { signal: new Int32Array(new SharedArrayBuffer(4)).fill(1) }), "cancelled", /cancelled by its signal/);
    ended(await run(name, { progress: () => false }), "cancelled", /cancelled by progress/);
    const { error, same } = await run(name, { progress() { throw new RangeError("enough"); } });
    assert.ok(error instanceof RangeError && error.message === "enough" && same);

    const seen = [];
    const whole = await run(name, { timeout: 1000, progress: (done, total) => void seen.push([done, total]) });
    assert.equal(whole.error, null);
    assert.equal(whole.same, !changes.includes(name));
    assert.ok(seen.length >= 2 && seen.every(([done, total]) => done >= 0 && done <= total), JSON.stringify(seen.slice(0, 9)));
    assert.deepEqual(seen.at(-1)[0], seen.at(-1)[1]);
    const late = await run(name, { timeout: 0.02 });
    if (late.error) ended(late, "timeout", /timeout=0.02 /);
    else assert.ok(late.took < SOON, `${late.took} ms`);
    for (const last of [2, 3, 5, 17]) { // in the middle of the work, wherever it looks
      let asked = 0, since = 0;
      const result = await run(name, { signal: { get aborted() { if (++asked === last) since = performance.now(); return asked >= last; } } });
      if (asked >= last) ended({ ...result, took: performance.now() - since }, "cancelled", /cancelled by its signal/);
    }
  });

test("every call with Limits has a row", () => {
  const text = readFileSync(join(PACKAGE, "teemap.d.ts"), "utf8");
  const found = new Set();
  let owner = "";
  for (const line of text.replace(/\(([^()]|\n)*\)/g, (one) => one.replaceAll("\n", " ")).split("\n")) {
    owner = /^(?:export )?(?:class|interface) (\w+)/.exec(line)?.[1] ?? (line === "}" ? "" : owner);
    const [, name] = /(\w+)\(.*\bLimits\b/.exec(line) ?? [];
    if (name) found.add(name === "constructor" ? owner : owner ? `${owner}.${name}` : name);
  }
  assert.deepEqual([...found].sort(), Object.keys(CALLS).sort());
});

test("limits of a map are those of its calls and copies, and a call may have others", async () => {
  const map = await load(0, { timeout: 1000 });
  const copy = map.copy();
  map.limits.timeout = 1e-6;
  assert.throws(() => map.check(), { code: "timeout" });
  assert.throws(() => map.edit.mirror({ way: "x" }), { code: "timeout" });
  assert.throws(() => map.diff(other), { code: "timeout" });
  assert.ok(map.check("strict", { timeout: 1000 }));
  assert.equal(copy.limits.timeout, 1000);
  assert.throws(() => copy.check("strict", { timeout: 0 }), /timeout is 0, and must be above 0 seconds/);
  await assert.rejects(load(0, { timeout: -1 }), RangeError);
  await assert.rejects(viewer.Map.load(files[0], { signal: AbortSignal.abort() }), { code: "cancelled" });
  const late = new AbortController();
  await assert.rejects(Map.load(madeMap(), { signal: late.signal, images: () => void late.abort() }), { code: "cancelled" });
  map.free();
  copy.free();
});

test("progress may look at maps while the library works", async () => {
  const map = await load();
  const areas = [];
  map.edit.using({ progress: () => void areas.push(map.area.width) }).run("mirror x\nshift 1,1\n".repeat(3));
  assert.ok(areas.length >= 2 && areas.every((width) => width === SIDE));
  map.free();
});

