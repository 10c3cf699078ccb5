// SPDX-License-Identifier: Zlib
// In the worker: what is done to the map, step by step, undone and done again. A step is { name, given }; it does the same each time.
// Maps of the last steps are kept, which share what did not change, and of those before each sixteenth: from there steps are done again.
import { Map } from "./teemap.js";
import { opened, renew, rulesAtHand, told } from "./worker_map.js";

const NEAR = 16;
let steps = [];
let states = []; // states[i]: a copy of the map when i steps were done
let at = 0;

/** A word as shells read it. */
export const shellWord = (text) => (/^[\w.,@%:/=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

const isBlank = (letter) => letter === " " || letter === "\t" || letter === "\r";

/** The words of a line of a script, as the library reads them (docs/editing.md); without variables. */
function wordsOf(line) {
  const words = [];
  for (let at = 0; ;) {
    while (isBlank(line[at])) at++;
    if (at >= line.length || line[at] === "#") return words;
    let [word, quote] = ["", ""];
    for (; at < line.length && (quote || !isBlank(line[at])); at++) {
      const letter = line[at];
      const mayQuote = word === "" || word.endsWith("=");
      const next = line[at + 1];
      const escaped = quote === '"' && letter === "\\" && (next === '"' || next === "\\");
      const doubled = quote !== "'" && letter === "$" && next === "$";
      if (quote ? letter === quote : letter === '"' || (letter === "'" && mayQuote)) quote = quote ? "" : letter;
      else word += escaped || doubled ? line[++at] : letter;
    }
    words.push(word);
  }
}

/** A script as words for a shell, which would run what stands between ` in double quotes of a name or a command. */
function shellOf(script) {
  const lines = script.split("\n").map((line) => wordsOf(line).map(shellWord).join(" "));
  return lines.filter(Boolean).join(" + ");
}

/**
 * Kinds of steps: how it is done, which returns a report, with `map` where another map takes the place of the one that is given; and
 * the words behind `teemap` that do the same to a file. counts: it is a step even if nothing changes.
 */
const ways = {
  /** Operations as text; shell: the same for a shell. files: by the names that stand in it. */
  edit: {
    async work(map, { script, files = {} }) {
      const read = {};
      try {
        for (const [name, bytes] of Object.entries(files)) read[name] = name.endsWith(".map") ? await Map.load(bytes) : bytes;
        return map.edit.using({ files: read, rules: rulesAtHand(), draw: 1 }).run(script);
      } finally {
        for (const one of Object.values(read)) one.free?.();
      }
    },
    line: (file, { script, shell }) => `edit -i ${file} ${shell ?? shellOf(script)}`,
  },
};
/** More kinds of steps. */
export const addSteps = (more) => Object.assign(ways, more);

function forget(from) {
  for (const state of states.splice(from)) state?.free();
}

/** Keeps the map as it is when `at` steps are done. */
function keep() {
  states[at] ??= opened().copy();
  const old = at - NEAR;
  if (old > 0 && old % NEAR) {
    states[old]?.free();
    states[old] = null;
  }
}

/** Does a step to a map of ours, which is freed if that fails or another one takes its place. */
async function perform(before, { name, given }) {
  let after = null;
  try {
    const report = await ways[name].work(before, given);
    after = report.map ?? before;
    return { ...report, map: after };
  } finally {
    if (after !== before) before.free();
  }
}

/** Does steps again from the last map that is kept. */
async function travel(to, progress) {
  const between = steps.slice(Math.min(at, to), Math.max(at, to));
  const layers = between.every((one) => one.layers) ? between.flatMap((one) => one.layers) : null;
  let from = to;
  while (!states[from]) from--;
  let map = states[from].copy();
  for (; from < to; from++) {
    progress(from, to);
    ({ map } = await perform(map, steps[from]));
  }
  at = to;
  renew(map, layers);
  keep();
  return { map: told() };
}

const TILES = ["game", "front", "tele", "speedup", "switch", "tune", "tiles"];
const shapeOf = (map) => JSON.stringify([map.images.length, map.groups.map(({ layers }) => layers.map(({ kind, width, height }) => [kind, width, height]))]);
/** The addresses of layers, if operations changed nothing but tiles of these. shape: of the map before. */
const tilesAlone = (map, changes, shape) => changes.length && changes.every(({ operation, address }) => ["fill", "clear", "replace", "paste"].includes(operation)
  && /^\d+\/\d+$/.test(address) && TILES.includes(map.at(address).kind)) && shapeOf(map) === shape ? changes.map(({ address }) => address) : null;

const ORDERING = ["move", "duplicate", "add layer", "add group", "append", "isolate"]; // what is in a layer stays as it is
const GROUPS = [...ORDERING, "set", "rename"]; // the same of the groups of layers
const WHOLE = ["mirror", "rotate", "shift", "crop", "extend", "scale"]; // of the whole map

/** A layer of these that operations changed; undefined: none. */
const harmed = (locked, changes) => locked.find((layer) => changes.some(({ operation, address }) =>
  (address === layer && !ORDERING.includes(operation)) || (address === layer.split("/")[0] && !GROUPS.includes(operation)) || (address === "" && WHOLE.includes(operation))));

export const stepWork = {
  /** Does one more step; those that were undone are gone then. locked: layers that it may not change. */
  async step({ name, given, locked = [] }) {
    keep();
    const shape = shapeOf(opened());
    const { map, ...report } = await perform(opened().copy(), { name, given });
    const closed = harmed(locked, report.changes);
    if (closed !== undefined) {
      map.free();
      throw new Error(`Layer ${closed} is locked: nothing was done. Unlock it first.`);
    }
    const changed = report.changes.length > 0 || ways[name].counts === true;
    if (changed) {
      const layers = tilesAlone(map, report.changes, shape);
      steps.splice(at++, Infinity, { name, given, layers });
      forget(at);
      renew(map, layers);
    } else map.free();
    return { map: told(), changed, report, line: `teemap ${ways[name].line(shellWord(opened().path), given)}` };
  },
  travel: (to, progress) => travel(to, progress),
  /** The steps of a map that was opened anew. */
  replay(all, progress) {
    stepWork.begin();
    steps = all.steps;
    return travel(all.at, progress);
  },
  /** Behind opening: no steps yet. */
  begin() {
    forget(0);
    [steps, at] = [[], 0];
    keep();
  },
};
