// SPDX-License-Identifier: Zlib
// The tree of groups and layers, from back to front: chosen, several with Ctrl or Shift; shown, locked, dragged to
// another place, renamed, doubled.
import { $, attempt, make, say } from "./elements.js";
import { on, session } from "./session.js";
import { chooseBeside, chooseLayers, chosenLayers, hasTiles, layerAt, lock, locked, nameOf } from "./chosen.js";
import { alone, DRAWN, hidden, isPhysics, reveal, showLayers } from "./layers.js";
import { openLayerMenu } from "./layer_menu.js";
import { placeOf } from "./menu.js";
import { showProperties } from "./properties.js";
import { edit, word } from "./steps.js";

const NEAR = 5; // pixels that a drag has at least
const tree = $("layers");
let drag = null; // { address, y, over }

const isGroup = (address) => !address.includes("/");
const find = (address) => tree.querySelector(`[data-choose="${address}"]`);
const labelOf = (address) => (isGroup(address) ? session.map.groups[address].name || "group" : nameOf(address));

/** A layer that is chosen is seen, and worked on at once: the tool that only looks gives way. */
function choose(address, event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) chooseBeside(address);
    else chooseLayers([address]);
    reveal(address);
    const tool = document.querySelector("#tools input[name=tool]:checked").value;
    if (hasTiles(address) && (tool === "look" || tool === "quads"))
        document.querySelector("#tools input[value=paint]").click();
    else if (["quads", "sounds"].includes(layerAt(address).kind) && tool !== "quads")
        document.querySelector("#tools input[value=quads]").click();
    if (event.detail)
        $("picture").focus(); // who clicks goes on there; who came by keys stays
    else find(address)?.focus();
}

// ------------------------------------------------------------------------------------------- what is done

const actions = {
    duplicate: async (address) => {
        const next = isGroup(address)
            ? String(Number(address) + 1)
            : address.replace(/\d+$/, (index) => Number(index) + 1);
        if ((await edit(`duplicate ${address}`))?.changed && !isGroup(next)) chooseLayers([next]);
    },
    rename: (address) => rename(address),
    remove: (address) => edit(`remove ${address}`),
    async add(address) {
        const group = Number.parseInt(address, 10);
        if ((await edit(`add layer ${group} tiles`))?.changed)
            chooseLayers([`${group}/${session.map.groups[group].layers.length - 1}`]);
    },
    properties: (address) => showProperties(address),
    /** So many places towards the front, or the back. */
    async move(address, by) {
        const [group, index] = address.split("/").map(Number);
        const to = (index ?? group) + by;
        if (!by) return undefined;
        const most = index === undefined ? session.map.groups.length : session.map.groups[group].layers.length;
        if (to < 0 || to >= most) return say("There is no further place.");
        return place(address, index === undefined ? String(to) : `${group}/${to}`);
    },
};

/** To the back or the front of its group, or of all groups. */
function toEnd(address, front) {
    const [group, index] = address.split("/").map(Number);
    const { length } = index === undefined ? session.map.groups : session.map.groups[group].layers;
    return actions.move(address, (front ? length - 1 : 0) - (index ?? group));
}

/** Moves an object to another place, and keeps it chosen. */
async function place(address, to) {
    const done = await edit(`move ${address} ${to}`);
    if (!done?.changed) return;
    if (!isGroup(to)) chooseLayers([to]);
    find(to)?.focus();
}

/** The name becomes a field. */
function rename(address) {
    const button = find(address);
    if (!button) return;
    const before = isGroup(address) ? session.map.groups[address].name : layerAt(address).name;
    const field = make("input", {
        value: before,
        ariaLabel: `Name of ${labelOf(address)}`,
        maxLength: 31,
        className: "rename",
    });
    let over = false;
    const end = (keep) => {
        if (over) return;
        over = true;
        const { value } = field;
        field.replaceWith(button);
        button.focus();
        if (keep && value !== before) edit(`rename ${address} ${word(value)}`);
    };
    field.onkeydown = (event) => {
        event.stopPropagation();
        if (event.key === "Enter" || event.key === "Escape") {
            event.preventDefault();
            end(event.key === "Enter");
        }
    };
    field.onblur = () => end(true);
    button.replaceWith(field);
    field.focus();
    field.select();
}

/** What a key does to a row. */
function keyOf({ key, altKey, ctrlKey, metaKey }) {
    if (altKey && (key === "ArrowUp" || key === "ArrowDown"))
        return (address) => actions.move(address, key === "ArrowUp" ? -1 : 1);
    if (altKey && (key === "Home" || key === "End")) return (address) => toEnd(address, key === "End");
    if (altKey && key === "Enter") return actions.properties;
    if ((ctrlKey || metaKey) && key.toLowerCase() === "d") return actions.duplicate;
    return altKey || ctrlKey || metaKey ? null : { F2: actions.rename, Delete: actions.remove }[key];
}
tree.addEventListener("keydown", (event) => {
    const { choose: address } = event.target.dataset;
    const does = address !== undefined && keyOf(event);
    if (!does) return;
    event.preventDefault();
    does(address);
});
tree.addEventListener("contextmenu", (event) => {
    const { row } = event.target.closest("[data-row]")?.dataset ?? {};
    if (row === undefined || event.target.matches("input")) return;
    event.preventDefault();
    drag = null;
    openLayerMenu(row, placeOf(event), actions);
});
/** Keys for the chosen layer while the picture has the focus. */
export function treeKey(event) {
    const does = event.key !== "Delete" && !event.altKey && keyOf(event);
    const [address] = chosenLayers();
    return does && address ? () => does(address) : null;
}

// --------------------------------------------------------------------------------------------------- drag

const rowAt = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest("[data-row]");
tree.addEventListener("pointerdown", (event) => {
    const { choose: address } = event.target.dataset;
    if (address !== undefined && event.button === 0) drag = { address, y: event.clientY, over: null };
});
addEventListener("pointermove", (event) => {
    if (!drag || (!drag.moved && Math.abs(event.clientY - drag.y) < NEAR)) return;
    drag.moved = true;
    mark(null);
    const row = rowAt(event);
    if (!row) return;
    const { top, height } = row.getBoundingClientRect();
    mark(row, event.clientY > top + height / 2 ? "below" : "above");
});
addEventListener("pointerup", () => {
    const { address, moved, over, side } = drag ?? {};
    mark(null);
    drag = null;
    if (!moved || !over) return;
    tree.addEventListener("click", (event) => event.stopPropagation(), { capture: true, once: true });
    setTimeout(() => tree.dispatchEvent(new Event("click"))); // if there was none
    drop(address, over.dataset.row, side);
});
addEventListener("pointercancel", () => {
    mark(null);
    drag = null;
});

function mark(row, side) {
    drag?.over?.classList.remove("above", "below");
    if (drag) Object.assign(drag, { over: row, side });
    row?.classList.add(side);
}

/** A layer goes before or behind another one, or to the beginning of a group; a group before or behind another one. */
function drop(address, target, side) {
    const behind = side === "below" ? 1 : 0;
    const [group, index] = address.split("/").map(Number);
    if (isGroup(address)) {
        const to = Number.parseInt(target, 10) + (isGroup(target) && !behind ? 0 : 1);
        const place_ = to > group ? to - 1 : to;
        return place_ === group ? undefined : place(address, String(place_));
    }
    const [toGroup, at] = isGroup(target) ? [Number(target), 0] : target.split("/").map(Number);
    let to = isGroup(target) ? at : at + behind;
    if (toGroup === group && to > index) to--;
    return toGroup === group && to === index ? undefined : place(address, `${toGroup}/${to}`);
}

// --------------------------------------------------------------------------------------------------- list

const small = (text, label, does, more = {}) =>
    make("button", { className: "small", ariaLabel: label, title: label, onclick: does, ...more }, text);

/** A button for the menu, where there is no right button. */
const more = (address, name) =>
    small("\u2026", `More of ${name}`, (event) => openLayerMenu(address, placeOf(event), actions));

function layerItem(layer) {
    const { address, kind } = layer;
    const name = layer.name || kind;
    const box = make("input", {
        type: "checkbox",
        checked: !hidden(address),
        disabled: isPhysics(kind) && !$("entities").checked,
        dataset: { kind },
        value: address,
        ariaLabel: `Show ${name} ${address}`,
        title: isPhysics(kind) && !$("entities").checked ? "Entities show it." : "Show",
        onchange: () => showLayers([layer], box.checked),
    });
    const pressed = chosenLayers().includes(address);
    return make(
        "li",
        { className: pressed ? "row chosen" : "row", dataset: { row: address } },
        ...(DRAWN.includes(kind) ? [box] : []),
        make(
            "button",
            {
                className: "name",
                ariaPressed: String(pressed),
                title: `${address}: ${kind}`,
                dataset: { choose: address },
                onclick: (event) => choose(address, event),
                ondblclick: () => rename(address),
            },
            name,
        ),
        ...(DRAWN.includes(kind)
            ? [
                  small(
                      "only",
                      `Only ${name} ${address}`,
                      () => {
                          alone(layer);
                          tree.querySelector(`[data-alone="${address}"]`).focus();
                      },
                      { dataset: { alone: address } },
                  ),
              ]
            : []),
        small(
            locked(address) ? "locked" : "lock",
            `Lock ${name} ${address}`,
            () => {
                lock(address, !locked(address));
                tree.querySelector(`[data-lock="${address}"]`).focus();
            },
            { dataset: { lock: address }, ariaPressed: String(locked(address)) },
        ),
        more(address, `${name} ${address}`),
    );
}

function groupItem({ name, layers }, i) {
    const address = String(i);
    const box = make("input", {
        type: "checkbox",
        checked: !layers.some((one) => hidden(one.address)),
        value: address,
        ariaLabel: `Show group ${i} ${name}`,
        onchange: () => showLayers(layers, box.checked),
    });
    return make(
        "li",
        {},
        make(
            "div",
            { className: "row", dataset: { row: address } },
            box,
            make(
                "button",
                {
                    className: "name",
                    dataset: { choose: address },
                    title: "The whole group",
                    onclick: (event) => {
                        if (layers.length) chooseGroup(layers, event);
                    },
                    ondblclick: () => rename(address),
                },
                `${i} ${name || "group"}`,
            ),
            small("+", `Add a layer of tiles to group ${i}`, () => actions.add(address)),
            more(address, `group ${i}`),
        ),
        make("ul", {}, ...layers.map(layerItem)),
    );
}

function chooseGroup(layers, event) {
    choose(layers[0].address, { detail: event.detail });
    chooseLayers(layers.filter(({ address }) => hasTiles(address)).map(({ address }) => address));
}

function list() {
    if (!session.map || tree.querySelector(".rename")) return;
    const focused = document.activeElement?.closest?.("#layers")
        ? { ...document.activeElement.dataset, value: document.activeElement.value }
        : null;
    tree.replaceChildren(...session.map.groups.map(groupItem));
    const again =
        focused &&
        (focused.choose !== undefined
            ? find(focused.choose)
            : focused.value && tree.querySelector(`input[value="${focused.value}"]`));
    again?.focus?.();
}

/** A new group gets its name at once. */
$("add-group").onclick = () =>
    attempt(async () => {
        if (session.map && (await edit("add group"))?.changed) rename(String(session.map.groups.length - 1));
    });
on("opened", () => {
    const field = tree.querySelector(".rename"); // a name in the map before
    if (field) field.onblur = null;
    field?.remove();
    list();
});
for (const event of ["changed", "shown", "chosen"]) on(event, list);
