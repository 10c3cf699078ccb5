// SPDX-License-Identifier: Zlib
// Which layers are drawn: each, a whole group, one alone, and the entities; listed in the order in which they are drawn. tree.js lets one work on them.
import { $ } from "./elements.js";
import { on, perMap, session, tell } from "./session.js";

const DESIGN = ["tiles", "quads"];
const PHYSICS = ["game", "front", "tele", "speedup", "switch", "tune"];
const entities = $("entities");
export const DRAWN = [...DESIGN, ...PHYSICS];
const state = perMap(() => ({ hidden: new Set() })); // addresses

const drawable = () => session.map.groups.flatMap(({ layers }) => layers).filter(({ kind }) => DRAWN.includes(kind));
const seen = (kinds) => drawable().filter(({ kind, address }) => kinds.includes(kind) && !state.hidden.has(address));
export const isPhysics = (kind) => PHYSICS.includes(kind);

/** What the worker draws: addresses of design layers, kinds of physics layers. */
export const shown = () => ({ layers: seen(DESIGN).map(({ address }) => address).join() || "-design",
  entities: (entities.checked && seen(PHYSICS).map(({ kind }) => kind).join()) || false });

export const hidden = (address) => state.hidden.has(address);
/** Whether one sees a layer, if something is in it. */
export const isShown = (address) => !hidden(address) && (entities.checked || !drawable().some((one) => one.address === address && isPhysics(one.kind)));

/** The addresses of all layers that are shown; null: none is hidden. */
export const shownAddresses = () => (state.hidden.size ? seen(DRAWN).map(({ address }) => address) : null);
/** Shows these layers and no others; null: all. */
export function showOnly(addresses) {
  state.hidden = new Set(addresses ? drawable().map(({ address }) => address).filter((one) => !addresses.includes(one)) : []);
  tell("shown");
}

/** Shows the entities, if the layer is one that they show alone. */
export function reveal(address) {
  const physics = drawable().some((layer) => layer.address === address && isPhysics(layer.kind));
  if (physics && !entities.checked) entities.click();
}

/** Shows one layer alone, or all again if it was alone. */
export function alone({ address, kind }) {
  const others = drawable().filter((one) => one.address !== address);
  const already = others.every((one) => hidden(one.address)) && !hidden(address);
  if (isPhysics(kind)) entities.checked = true;
  showOnly(already ? null : [address]);
}

/** Shows or hides layers. */
export function showLayers(layers, shows) {
  for (const { address } of layers) state.hidden[shows ? "delete" : "add"](address);
  tell("shown");
}

on("renumbered", (follow) => { state.hidden = new Set([...state.hidden].map(follow).filter((one) => one !== null)); });

$("all-layers").onclick = () => session.map && showOnly(null);
entities.addEventListener("change", () => tell("shown"));
