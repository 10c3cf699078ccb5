// SPDX-License-Identifier: Zlib
// Memory is given back: by free(), and by the engine when nobody holds a map any more (node --expose-gc). And a module that broke is
// replaced by the next map.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import test from "node:test";
import { corpus, madeMap, teemap, viewer } from "./support.mjs";

const { Map } = teemap;
const target = { data: new Uint8ClampedArray(320 * 180 * 4), width: 320, height: 180 };

async function show({ Map }, path) {
  const map = await Map.load(readFileSync(path));
  map.render(target, { view: "best" });
  return map;
}

/** Bytes of memory when the two largest maps were open together. */
async function largestTwo(module) {
  const [first, second] = [...corpus].sort((a, b) => statSync(b).size - statSync(a).size);
  module.reset();
  const maps = [await show(module, first), await show(module, second)];
  const size = module.memorySize();
  maps.forEach((map) => map.free());
  module.reset();
  return size;
}

const skip = corpus.length ? false : "no corpus";

// The viewer's allocator is a third as large, and leaves a little more between what is held: 2 % are granted.
for (const [name, module, more] of [["everything", teemap, 1], ["the viewer", viewer, 1.02]])
  test(`${name}: a hundred maps in a row take no more than the largest two`, { skip }, async () => {
    const most = await largestTwo(module) * more;
    for (let i = 0; i < 100; i++) (await show(module, corpus[i % corpus.length])).free();
    assert.ok(module.memorySize() <= most, `${module.memorySize()} bytes, of ${most}`);
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
  const [map, other] = [await Map.load(madeMap()), await Map.load(madeMap())];
  const { at } = map._given;
  map._given.at = 0xfffffff0; // of no memory: the engine stops the module there
  assert.throws(() => map.area, (error) => error instanceof teemap.TeemapError && error.code === "crash" && /tm_map_area.*out of bounds/.test(error.message));
  map._given.at = at;
  for (const dead of [map, other]) assert.throws(() => dead.area, /load the map again/);
  map.free();
  other.free();
  const next = await Map.load(madeMap());
  assert.deepEqual(next.area, { width: 60, height: 40 });
  next.render(target, { view: "best" });
});
