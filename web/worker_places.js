// SPDX-License-Identifier: Zlib
// In the worker: places of the map by the library's patterns.
import { opened } from "./worker_map.js";

const KINDS = [
  { title: "Spawns", pattern: "spawn*" },
  { title: "Start and finish", pattern: "start,finish" },
  { title: "Flags", pattern: "flag-*" },
  { title: "Time checkpoints", pattern: "time-checkpoint-*" },
  { title: "Teleporters", pattern: "tele-in*,tele-out", paired: true },
  { title: "Checkpoints of teleporters", pattern: "tele-checkpoint*" },
  { title: "Switches", pattern: "switch/*" },
];

/** A rectangle that was found, as few rectangles of equal tiles; `bytes` of the layer are `size` a tile, of which `known` tell what it is. */
function* equalParts({ x, y, width, height }, { bytes, size, known, wide }) {
  const what = (column, row) => bytes.subarray((row * wide + column) * size, (row * wide + column) * size + known).join();
  let above = []; // runs of the last row, which go on or end
  for (let row = y; row < y + height; row++) {
    const runs = [];
    for (let column = x; column < x + width; column++) {
      const last = runs.at(-1);
      const is = what(column, row);
      if (last?.is === is) last.width++;
      else runs.push({ is, x: column, y: row, width: 1, height: 1 });
    }
    const same = (one) => above.find(({ is, ...run }) => is === one.is && run.x === one.x && run.width === one.width);
    const now = runs.map((one) => { const run = same(one); return run ? Object.assign(run, { height: run.height + 1 }) : one; });
    yield* above.filter((one) => !now.includes(one));
    above = now;
  }
  yield* above;
}

function placesOf({ title, pattern, paired }) {
  const map = opened();
  const layers = {};
  const layerAt = (address) => {
    const { tiles } = map.at(address);
    const bytes = tiles.array.slice();
    return { bytes, size: bytes.length / Math.max(1, tiles.length), known: "number" in tiles.get(0) ? 2 : 1, wide: tiles.width };
  };
  const matches = map.find(pattern).flatMap(({ address, ...rect }) => [...equalParts(rect, layers[address] ??= layerAt(address))].map(({ is, ...part }) => {
    const { id, number = 0 } = map.tilesAt(part.x, part.y).find((one) => one.address === address) ?? {};
    return { address, group: Number.parseInt(address, 10), word: id ?? "unknown", number, ...part };
  }));
  return { title, paired, matches };
}

export const placesWork = {
  places: () => KINDS.map(placesOf).filter(({ matches }) => matches.length),
  find: (pattern) => opened().find(pattern).map(({ address, x, y, width, height, count, text, field }) => ({ group: Number.parseInt(address, 10), x, y, width, height,
    words: width ? `${address}@${x},${y}+${width}x${height}${count > 1 ? `, ${count} tiles` : ""}` : [address, field, text].filter(Boolean).join(": ") })),
};
