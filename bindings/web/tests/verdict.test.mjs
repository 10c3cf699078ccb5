// SPDX-License-Identifier: Zlib
// What is saved ends with the verdict of DDNet's loader, and lint has it, too.
import assert from "node:assert/strict";
import { test } from "node:test";
import { teemap } from "./support.mjs";

const { Map: TeemapMap } = teemap;

const withFront = async (width) => {
  const map = await TeemapMap.create(7, 5);
  map.edit.addLayer({ group: "0", kind: "front", size: [width, 5] });
  return map;
};
const gameless = async () => {
  const map = await TeemapMap.create(7, 5);
  map.edit.run("remove 0/0");
  return map;
};

for (const [what, make, reason] of [
  ["a map that DDNet opens", () => TeemapMap.create(7, 5), null],
  ["a front layer of the size of the game layer", () => withFront(7), null],
  ["a front layer that is smaller", () => withFront(6), "fewer than the game layer's 7 x 5"],
  ["no game layer", gameless, "there is no game layer"],
])
  test(`saving and lint tell what DDNet refuses: ${what}`, async () => {
    const map = await make();
    const bytes = map.save();
    const again = await TeemapMap.load(bytes);
    again.save();
    for (const { refusal } of [map, again]) {
      if (!reason) assert.equal(refusal, null);
      else assert.deepEqual([refusal.id, refusal.severity, refusal.text.includes(reason)], ["not-for-ddnet", "error", true]);
    }
    map.lost = undefined;
    const told = map.lint().findings.filter(({ id }) => id === "not-for-ddnet");
    assert.deepEqual(told.map(({ text }) => text.includes(reason)), reason ? [true] : []);
    assert.equal(map.lost, undefined); // lint saves nothing
    assert.deepEqual(map.lint({ verdict: false }).findings.filter(({ id }) => id === "not-for-ddnet"), []);
  });
