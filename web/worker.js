// SPDX-License-Identifier: Zlib
// The map and all work on it, beside the page. Each message { id, name, given } is answered by { id, value } or { id, error }.
import { Map, TeemapError } from "./teemap.js";

let map = null;
let renderer = null;
let drawn = ""; // what the renderer was made for

function use(next) {
  renderer?.free();
  map?.free();
  [map, renderer, drawn] = [next, null, ""];
}

/** What the page shows of a map. */
function told() {
  return {
    path: map.path, game: map.game, area: map.area, missing: map.missing,
    groups: map.groups.map((group) => ({ name: group.name, layers: group.layers.map(({ address, kind, name }) => ({ address, kind, name })) })),
  };
}

/** Findings of reading and checking first, then those of lint; each once. */
function findings() {
  const found = [...map.check("game"), ...map.lint().findings];
  const order = ["error", "warning", "note"];
  return found.map(({ id, severity, place, text, why = "", how = "", places = [], fix = null, address }) =>
    ({ id, severity, place, text, why, how, places, fix, address })).sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
}

const work = {
  async open({ bytes, path, images }) {
    const next = await Map.load(bytes, { path, images });
    use(next);
    return told();
  },
  findings,
  /** Pixels of a region of the map: [x, y, width, height] in tiles. `layers`: their addresses with commas between. */
  draw({ region, width, height, layers, entities }) {
    const words = JSON.stringify([layers, entities]);
    if (drawn !== words) {
      renderer?.free();
      renderer = null;
      renderer = map.renderer({ layers, entities });
      drawn = words;
    }
    const { data, ...size } = renderer.picture(width, height, { region });
    return { data, ...size };
  },
  tiles: ({ x, y }) => map.tilesAt(x, y),
  /** A finding's fix, an operation as text. */
  fix({ line }) {
    const report = map.edit.run(line);
    drawn = "";
    return { changes: report.changes.length, ...told() };
  },
  save: () => map.save(),
};

onmessage = async ({ data: { id, name, given } }) => {
  try {
    if (name !== "open" && !map) throw new TeemapError("no map is open");
    const value = await work[name](given);
    postMessage({ id, value }, value?.data?.buffer ? [value.data.buffer] : []);
  } catch (error) {
    postMessage({ id, error: error.message });
  }
};
