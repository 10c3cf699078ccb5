// SPDX-License-Identifier: Zlib
// In the worker: the map that the open one is compared with, patches, other games, and what three maps become.
import { Map, Patch, diff, merge } from "./teemap.js";
import { load, opened } from "./worker_map.js";
import { shellWord } from "./worker_steps.js";

let other = null;
let renderer = null;
let drawn = "";

/** Does something with a patch that leads from the other map to the open one. */
function withPatch(work) {
  const patch = diff(other, opened());
  try {
    return work(patch);
  } finally {
    patch.free();
  }
}

function release() {
  renderer?.free();
  other?.free();
  [renderer, other, drawn] = [null, null, ""];
}

/** Loads the two other maps of a merge, and gives them back afterwards. base: null if there is none. */
async function merged(ours, { base, theirs, resolve }) {
  const maps = [];
  try {
    for (const bytes of [base, theirs]) maps.push(bytes ? await Map.load(bytes) : null);
    return merge(maps[0], ours, maps[1], { resolve });
  } finally {
    for (const map of maps) map?.free();
  }
}

export const compareWork = {
  async compare(given) {
    const { next, damage } = await load(given);
    release();
    other = next;
    return { path: given.path, game: next.game, area: next.area, damage };
  },
  compareEnd: release,
  differences: () => withPatch((patch) => [
    ...patch.changes.map(({ kind, text, before, after, regions, shift }) => ({ kind, text, before, after, regions, shift })),
    ...patch.unread.map(({ text }) => ({ kind: "unread", text, before: null, after: null, regions: [], shift: [0, 0] })), // no patch has it
  ]),
  patch: () => withPatch((patch) => patch.bytes()),
  /** As draw of worker_look.js, of the other map with all its design. */
  drawOther({ region, width, height, entities, time }) {
    if (drawn !== String(entities)) {
      renderer?.free();
      renderer = null;
      renderer = other.renderer({ layers: "design", entities });
      drawn = String(entities);
    }
    return renderer.picture(width, height, { region, time });
  },
  async conflicts(given) {
    const { map, conflicts, report } = await merged(opened(), given);
    map.free();
    return { conflicts, changes: report.changes.length };
  },
  sizes: () => ({ saved: opened().save().length, packed: opened().packed().length }),
};

/** Words of a merge by what becomes of them: --theirs=0,settings. */
const choices = (resolve) => ["ours", "theirs", "both"].map((way) => [way === "both" ? "union" : way, Object.keys(resolve).filter((words) => resolve[words] === way)])
  .filter(([, words]) => words.length).map(([way, words]) => `--${way}=${words.join()}`);

export const compareSteps = {
  convert: {
    work: (map, { to, way }) => map.convert(to, { way }),
    line: (file, { to, way }) => `convert --to ${to}${way ? ` --images ${way}` : ""} -i ${file}`,
  },
  optimize: {
    work: (map, given) => map.optimize(given),
    line: (file, { images, colors }) => `optimize -i ${file}${images ? " --images" : ""}${colors ? " --dilate" : ""}`,
    counts: true,
  },
  patch: {
    async work(map, { files, partial }) {
      const patch = await Patch.read(Object.values(files)[0]);
      try {
        return patch.apply(map, { partial });
      } finally {
        patch.free();
      }
    },
    line: (file, { files, partial }) => `patch -i ${file} ${shellWord(Object.keys(files)[0])}${partial ? " --partial" : ""}`,
  },
  /** files: [base and] theirs, in this order. */
  merge: {
    async work(map, { files, resolve }) {
      const all = Object.values(files);
      const { map: made, report } = await merged(map, { base: all.length > 1 ? all[0] : null, theirs: all.at(-1), resolve });
      made.path = map.path;
      return { ...report, map: made };
    },
    line(file, { files, resolve }) {
      const names = Object.keys(files).map(shellWord);
      return ["merge", names.length > 1 ? names[0] : "/dev/null", file, names.at(-1), "-i", "--partial", ...choices(resolve)].join(" ");
    },
  },
};
