// SPDX-License-Identifier: Zlib
// In the worker: the map that is open, and what the page is told of it.
import { Map, TeemapError } from "./teemap.js";
import { imageOf } from "./worker_shelf.js";

let map = null;
let version = 0;
const changes = []; // by version
let given = {};

/** The map that is open. */
export function opened() {
  if (!map) throw new TeemapError("no map is open");
  return map;
}
/** The server commands; none where they could not be read. */
export const settingsOf = (one) => (one.info.unread.includes("settings") ? [] : one.settings);
/** A number that is another one after each change: what was made of the map before is old then. */
export const opening = () => version;
/** Rules of automappers, by image, that were opened with the map. */
export const rulesAtHand = () => given.rules ?? {};

/** The addresses of layers whose tiles alone changed since then; null: anything may have changed. */
export function layersChangedSince(before) {
  const later = changes.slice(before + 1);
  return later.every(Boolean) ? new Set(later.flat()) : null;
}

/** Says that the map was changed, or is another one from now on; the old one is freed. layers: their addresses, if tiles of these alone changed. */
export function renew(next = map, layers = null) {
  if (next !== map) map?.free();
  map = next;
  changes[++version] = layers;
}

/** What the page shows of a map. */
export function told() {
  return {
    path: map.path, game: map.game, area: map.area, missing: map.missing.filter(Boolean),
    groups: map.groups.map((group) => ({ name: group.name, parallax: [group.parallaxX, group.parallaxY], offset: [group.offsetX, group.offsetY], 
      layers: group.layers.map(({ address, kind, name, tiles }) => ({ address, kind, name, ...(tiles ? { size: [tiles.width, tiles.height] } : {}) })) })),
    objects: [...map.images, ...map.sounds, ...map.envelopes].map(({ address, name }) => ({ address, name })),
    unread: [map.info, ...map.images, ...map.sounds].flatMap(({ address, unread }) => unread.map((name) => (name === "settings" ? name : `${address}.${name}`))),
  };
}

/**
 * Reads a map. Of a damaged one all that can be rescued: `damage` says why it is no ordinary one, `rescued` what is left of it. broken: why it
 * is damaged, if that was seen only when it was checked.
 */
export async function load({ bytes, path, broken = "", ...from }) {
  const images = (name) => imageOf(name, from);
  let damage = broken;
  if (!damage) try {
    const next = await Map.load(bytes, { path, images });
    damage = next.findings.find(({ severity }) => severity === "error")?.text ?? "";
    if (!damage) return { next, damage };
    next.free();
  } catch (error) {
    if (error.code !== "damaged") throw error;
    damage = error.message;
  }
  const next = await Map.load(bytes, { path, images, mode: "salvage" });
  const { findings, counts } = next.rescue();
  next.findings.push(...findings);
  const rescued = Object.entries(counts).filter(([, { num }]) => num).map(([kind, { num, damaged: part, lost }]) => `${num - lost} of ${num} ${kind}${part ? `, ${part} of them in part` : ""}`);
  return { next, damage, rescued: rescued.join("; ") };
}

export const mapWork = {
  async open(from) {
    const { next, ...more } = await load(from);
    given = from;
    renew(next);
    return { map: told(), ...more };
  },
  /** smaller: packed as small as it gets; rewrite: in the form of another game. */
  save: ({ smaller = false, rewrite = false } = {}) => (smaller ? opened().packed() : opened().save({ rewrite })),
};
