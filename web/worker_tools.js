// SPDX-License-Identifier: Zlib
// In the worker: what tools of the page ask of the map.
import { Map } from "./teemap.js";
import { pictureOf } from "./worker_images.js";
import { opened, rulesAtHand } from "./worker_map.js";

const PIVOT_AT = 8; // of the numbers of a quad
const ENVELOPE_AT = 34; // behind five points, four colors of four numbers, and four points of the texture

/** A map with a layer like this one that has each of the 256 tiles, and its address. */
async function mapOfTiles({ kind, image }) {
  const map = kind === "tiles" ? opened().copy() : await Map.create(16, 16, opened().game);
  const address = kind === "game" ? "0/0" : `${map.groups.length}/0`;
  if (kind !== "game") map.edit.run(`add group\nadd layer ${map.groups.length} ${kind} 16x16${image ? `\nset ${address}.image=${image.address}` : ""}`);
  const { tiles } = map.at(address);
  const index = "index" in tiles.get(0) ? "index" : "type";
  for (let i = 0; i < 256; i++) tiles.set(i, { [index]: i });
  return { map, address };
}

/** Names of configurations: what stands between brackets at the beginning of a line. */
const configurationsOf = (text) => [...text.matchAll(/^\s*\[([^\]\n]+)\]/gm)].map(([, name]) => name);

export const toolWork = {
  /** Configurations of a layer's automapper: { image, names, seed }; names are null where there are no rules. */
  configurations(address) {
    const { image, automapperSeed } = opened().at(address);
    const name = image?.name ?? "";
    const text = Object.hasOwn(rulesAtHand(), name) ? rulesAtHand()[name] : null;
    return { image: name, names: text === null ? null : configurationsOf(text), seed: automapperSeed ?? 0 };
  },

  /** All tiles of a layer in a picture of 16 x 16, with their names. */
  async sheet({ layer, size }) {
    const of = opened().at(layer);
    const { map, address } = await mapOfTiles(of);
    const infos = opened().tileInfos(of);
    const names = Array.from({ length: 256 }, (_, i) => ({ name: infos?.[i]?.id ?? "", title: infos?.[i]?.title ?? "", dead: infos !== null && i > 0 && !infos[i] }));
    const renderer = map.renderer(of.kind === "tiles" ? { layers: address } : { layers: "-design", entities: of.kind });
    try {
      return { ...renderer.picture(size, size, { region: [0, 0, 16, 16] }), names };
    } finally {
      renderer.free();
      map.free();
    }
  },

  /** Points of all quads of a layer, in tiles: four corners and the pivot of each; they stand first in each quad, as 22.10 fixed point px. */
  quads({ layer }) {
    const { quads } = opened().at(layer);
    const { length } = quads;
    const values = quads.array.slice();
    const size = values.length / Math.max(1, length);
    return Array.from({ length }, (_, i) => [0, 2, 4, 6, 8].map((at) => [values[i * size + at] / 32768, values[i * size + at + 1] / 32768]));
  },

  /** The first of quads that are chosen: its colors and texture, and the image of the layer, stretched to size x size pixels. */
  quad({ layer, quad, size }) {
    const of = opened().at(layer);
    const { colors, texture, positionEnvelope, colorEnvelope } = of.quads.get(quad);
    const hex = (list) => `#${[...list].map((one) => (one & 255).toString(16).padStart(2, "0")).join("")}`;
    return { colors: colors.map(hex), texture, envelopes: { position: positionEnvelope, color: colorEnvelope }, ...(of.image ? pictureOf(of.image.address, size) : {}) };
  },
  /** Places of sound sources in tiles, and where they are heard. */
  sources: ({ layer }) => [...opened().at(layer).sources].map(({ x, y, shape, radius, width, height, falloff }) =>
    ({ place: [x / 32, y / 32], shape, radius: (radius ?? width * 1024) / 32, width: (width ?? 0) / 32, height: (height ?? 0) / 32, falloff: falloff ?? 0 })),

  /** An envelope with its points, and the pivots of quads that it moves, in tiles, by group: `most` at most. */
  envelope({ address, most }) {
    const envelope = opened().at(address);
    const users = [];
    let left = most;
    for (const layer of envelope.type === "position" ? opened().layers : []) {
      if (layer.kind !== "quads" || !left) continue;
      const { length } = layer.quads;
      const values = layer.quads.array.slice();
      const size = values.length / Math.max(1, length);
      const pivots = [];
      for (let i = 0; i < length && left; i++)
        if (values[i * size + ENVELOPE_AT] === envelope.index) {
          pivots.push([values[i * size + PIVOT_AT] / 32768, values[i * size + PIVOT_AT + 1] / 32768]);
          left--;
        }
      if (pivots.length) users.push({ group: Number.parseInt(layer.address, 10), pivots });
    }
    const points = [...envelope.points].map(({ time, curve, values, inDx, inDy, outDx, outDy }) => ({ time, curve: curve, values, inDx, inDy, outDx, outDy }));
    return { type: envelope.type, points, users };
  },
};
