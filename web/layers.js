// SPDX-License-Identifier: Zlib
// Which layers are drawn: each, a whole group, one alone, and the entities; listed in the order in which they are drawn.
import { $, make } from "./elements.js";
import { on, session, tell } from "./session.js";

const DESIGN = ["tiles", "quads"];
const PHYSICS = ["game", "front", "tele", "speedup", "switch", "tune"];
const entities = $("entities");
const DRAWN = [...DESIGN, ...PHYSICS];
let hidden = new Set(); // addresses

const drawable = () => session.map.groups.flatMap(({ layers }) => layers).filter(({ kind }) => DRAWN.includes(kind));
const seen = (kinds) => drawable().filter(({ kind, address }) => kinds.includes(kind) && !hidden.has(address));

/** What the worker draws: addresses of design layers, kinds of physics layers. */
export const shown = () => ({ layers: seen(DESIGN).map(({ address }) => address).join() || "-design",
  entities: (entities.checked && seen(PHYSICS).map(({ kind }) => kind).join()) || false });

/** The addresses of all layers that are shown; null: none is hidden. */
export const shownAddresses = () => (hidden.size ? seen(DRAWN).map(({ address }) => address) : null);
/** Shows these layers and no others; null: all. */
export function showOnly(addresses) {
  hidden = new Set(addresses ? drawable().map(({ address }) => address).filter((one) => !addresses.includes(one)) : []);
  list();
  tell("shown");
}

/** Shows the entities, if the layer is one that they show alone. */
export function reveal(address) {
  const physics = drawable().some((layer) => layer.address === address && PHYSICS.includes(layer.kind));
  if (physics && !entities.checked) entities.click();
}

function alone({ address, kind }) {
  const others = drawable().filter((one) => one.address !== address);
  const already = others.every((one) => hidden.has(one.address)) && !hidden.has(address);
  if (PHYSICS.includes(kind)) entities.checked = true;
  showOnly(already ? null : [address]);
  $("layers").querySelector(`[data-alone="${address}"]`).focus();
}

function switchTo({ checked, value }, layers) {
  for (const { address } of layers) hidden[checked ? "delete" : "add"](address);
  list();
  $("layers").querySelector(`input[value="${value}"]`).focus();
  tell("shown");
}

function layerItem(layer) {
  const { address, kind } = layer;
  const name = layer.name || kind;
  if (!DRAWN.includes(kind)) return make("li", {}, name);
  const box = make("input", { type: "checkbox", checked: !hidden.has(address), disabled: PHYSICS.includes(kind) && !entities.checked, dataset: { kind }, value: address, onchange: () => switchTo(box, [layer]) });
  return make("li", {}, make("label", { title: box.disabled ? "Entities show it." : "" }, box, ` ${name}`), " ",
    make("button", { className: "small", dataset: { alone: address }, ariaLabel: `Only ${name} ${address}`, onclick: () => alone(layer) }, "only"));
}

function groupItem({ name, layers }, i) {
  const box = make("input", { type: "checkbox", checked: !layers.some(({ address }) => hidden.has(address)), value: String(i), onchange: () => switchTo(box, layers) });
  return make("li", {}, make("label", {}, box, ` ${i} ${name || "group"}`), make("ul", {}, ...layers.map(layerItem)));
}

function list() {
  $("layers").replaceChildren(...session.map.groups.map(groupItem));
}

$("all-layers").onclick = () => session.map && showOnly(null);
entities.addEventListener("change", () => {
  if (session.map) list();
  tell("shown");
});
on("opened", () => { hidden = new Set(); list(); });
on("changed", list);
