// SPDX-License-Identifier: Zlib
// The menu of a layer or group: what is done to it as a whole, what the physics layers get of it, and the
// configurations of its automapper.
import { attempt, make, say } from "./elements.js";
import { ask, perMap, session } from "./session.js";
import { chooseLayers, chosenLayers, gameLayer, layerAt, mayWrite, objectsOf } from "./chosen.js";
import { isShown, reveal } from "./layers.js";
import { openMenu } from "./menu.js";
import { showProperties } from "./properties.js";
import { edit, word } from "./steps.js";

const state = perMap(() => ({ seed: null })); // the last one that was typed
const PHYSICS = ["tele", "switch", "speedup", "front", "tune"];
const UNDER = {
    ddnet: [
        ["solid", "Hookable"],
        ["unhookable", "Unhookable"],
        ["freeze", "Freeze"],
        ["unfreeze", "Unfreeze"],
        ["deep-freeze", "Deep freeze"],
        ["deep-unfreeze", "Deep unfreeze"],
        ["death", "Death"],
        ["air", "Air"],
    ],
};
const PLAIN = UNDER.ddnet.filter(([tile]) => ["solid", "unhookable", "death", "air"].includes(tile));

/** Layers of the design that an operation is for: all that are chosen, if the menu is that of one of them. */
function designOf(address) {
    const chosen = chosenLayers();
    return (chosen.includes(address) ? chosen : [address]).filter((one) => layerAt(one)?.kind === "tiles");
}

/** Game tiles below the tiles of the layers. */
function construct(tile, address) {
    const game = gameLayer();
    reveal(game);
    return mayWrite([game], isShown) && edit(`construct ${tile} ${designOf(address).join()}`);
}

async function automapRows(address) {
    const { image, names, seed } = await ask("configurations", address);
    if (!image) return [];
    const title = { title: `Automapper of '${image}'` };
    if (!names) return [title, { element: make("p", {}, `No rules: drop the file ${image}.rules here.`) }];
    const field = make("input", { type: "number", min: 0, id: "menu-seed", value: state.seed ?? seed });
    field.oninput = () => {
        state.seed = Math.max(0, Math.round(Number(field.value) || 0));
    };
    field.onfocus = () => field.select();
    const run = (name) => {
        const layers = designOf(address);
        const words = [layers.join(), word(name), Math.max(0, Math.round(Number(field.value) || 0))];
        return mayWrite(layers, isShown) && edit(`automap ${words.join(" ")}`);
    };
    return [
        title,
        { element: make("p", {}, make("label", { htmlFor: field.id }, "seed "), field) },
        ...names.map((name) => ({ text: name, run: () => run(name) })),
    ];
}

async function add(group, kind) {
    const address = `${group}/${session.map.groups[group].layers.length}`;
    const sounds = objectsOf("sound");
    const only = kind === "sounds" && sounds.length === 1 ? `\nset ${address}.sound=${sounds[0].address}` : "";
    if (!(await edit(`add layer ${group} ${kind}${only}`))?.changed) return;
    chooseLayers([address]);
    const tool = document.querySelector(`#tools input[value=${["quads", "sounds"].includes(kind) ? "quads" : "paint"}]`);
    if (!tool.checked) tool.click();
}

/** actions: what the tree does: { rename, duplicate, remove, move }. */
export const openLayerMenu = (address, place, actions) =>
    attempt(async () => {
        const isGroup = !address.includes("/");
        const kinds = session.map.groups.flatMap(({ layers }) => layers.map(({ kind }) => kind));
        const { map } = session;
        const group = map.groups[Number.parseInt(address, 10)];
        const last = (isGroup ? map.groups : group.layers).length - 1;
        const index = Number(address.split("/").at(-1));
        const move = (by) => () => actions.move(address, by);
        const rows = [
            { text: "Properties", hint: "Alt+Enter", run: () => showProperties(address) },
            { text: "Rename", hint: "F2", run: () => actions.rename(address) },
            { text: "Duplicate", hint: "Ctrl+D", run: () => actions.duplicate(address) },
            { text: "Remove", hint: "Delete", run: () => actions.remove(address) },
            { text: "To the back", hint: "Alt+Home", run: move(-index) },
            { text: "To the front", hint: "Alt+End", run: move(last - index) },
        ];
        if (isGroup) {
            const others = map.game === "ddnet" ? PHYSICS.filter((kind) => !kinds.includes(kind)) : [];
            rows.push({ title: "Add a layer of" });
            for (const kind of ["tiles", "quads", "sounds", ...(kinds.includes("game") ? others : [])])
                rows.push({ text: kind, run: () => add(address, kind) });
        } else if (layerAt(address).kind === "tiles") {
            const tiles = gameLayer() ? (UNDER[map.game] ?? PLAIN) : [];
            if (tiles.length) rows.push({ title: "Game tiles below all of its tiles" });
            for (const [tile, text] of tiles) rows.push({ text, run: () => construct(tile, address) });
            rows.push(...(await automapRows(address)));
        }
        if (map !== session.map) return say("The map was changed meanwhile.");
        const name = isGroup ? `Group ${address} ${group.name}` : `Layer ${address} ${layerAt(address).name}`;
        return openMenu(name.trim(), rows, place);
    });
