// SPDX-License-Identifier: Zlib
// Which layers are worked on: one, or several; what is hidden or locked is not written to.
import { $, make, say } from "./elements.js";
import { guardLayers, on, perMap, session, tell } from "./session.js";

const choice = $("layer");
const state = perMap(() => ({ more: [], locked: new Set() })); // addresses

/** The address of the layer that is worked on; "" is all layers. */
export const layer = () => choice.value;
/** The addresses of all layers that are worked on. */
export const chosenLayers = () => [...new Set([layer(), ...state.more])].filter(Boolean);
const isGame = ({ kind }) => kind === "game";
/** The number of the group with the game layer; -1: there is none. */
export const gameGroup = () => session.map?.groups.findIndex(({ layers }) => layers.some(isGame)) ?? 0;
/** The address of the game layer; "": there is none. */
export const gameLayer = () => session.map.groups.flatMap(({ layers }) => layers).find(isGame)?.address ?? "";
/** The images, sounds or envelopes of the map: { address, name }. */
export const objectsOf = (kind) => session.map?.objects.filter(({ address }) => address.startsWith(`${kind}/`)) ?? [];
export const layerGroup = () => (layer() ? Number(layer().split("/")[0]) : gameGroup());
export const layerAt = (address) =>
    session.map?.groups[Number.parseInt(address, 10)]?.layers.find((one) => one.address === address);
export const layerKind = () => layerAt(layer())?.kind;
export const nameOf = (address) => layerAt(address)?.name || layerAt(address)?.kind || address;
/** Whether it is a layer of tiles. */
export const hasTiles = (address) => layerAt(address)?.size !== undefined;

export const locked = (address) => state.locked.has(address);
export function lock(address, is) {
    state.locked[is ? "add" : "delete"](address);
    tell("chosen");
}

/** Chooses layers; the first one is the one that single tiles are of. */
export function chooseLayers(addresses) {
    state.more = addresses.slice(1);
    choice.value = addresses[0] ?? "";
    tell("chosen");
}
/** Chooses a layer besides, or no longer. */
export function chooseBeside(address) {
    const before = chosenLayers();
    chooseLayers(before.includes(address) ? before.filter((one) => one !== address) : [...before, address]);
}

/** Whether layers may be written to; else it is said why not. shown(address): whether one sees it. */
export function mayWrite(addresses, shown) {
    const closed = addresses.find(locked);
    const unseen = addresses.find((one) => !shown(one));
    if (closed !== undefined) say(`Layer ${closed} '${nameOf(closed)}' is locked: nothing is written to it.`);
    else if (unseen !== undefined)
        say(`Layer ${unseen} '${nameOf(unseen)}' is hidden: show it before you write to it.`);
    return closed === undefined && unseen === undefined;
}

function showChoices(before) {
    choice.replaceChildren(
        make("option", { value: "" }, "all layers"),
        ...session.map.groups.flatMap(({ layers }) =>
            layers.map(({ address, kind, name }) =>
                make("option", { value: address, dataset: { kind } }, `${address} ${name || kind}`),
            ),
        ),
    );
    choice.value = before && layerAt(before) ? before : gameLayer();
    state.more = state.more.filter(layerAt);
}

guardLayers(() => [...state.locked]);
let chosenNow = ""; // where the layer that is worked on is after a step
on("renumbered", (follow) => {
    const later = (list) => list.map(follow).filter((one) => one !== null);
    state.locked = new Set(later([...state.locked]));
    state.more = later(state.more);
    chosenNow = layer() && (follow(layer()) ?? "");
});

choice.onchange = () => chooseLayers([choice.value]);
on("opened", () => {
    showChoices("");
    tell("chosen");
});
on("changed", () => {
    showChoices(chosenNow || layer());
    chosenNow = "";
    tell("chosen");
});
