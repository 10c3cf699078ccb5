// SPDX-License-Identifier: Zlib
// The brush: tiles of one or several layers that are in hand, and those that are kept in slots; and the operations
// that write them.
import { $, attempt, say } from "./elements.js";
import { ask, on, perMap } from "./session.js";
import { chosenLayers, hasTiles, layer, layerAt, layerKind } from "./chosen.js";
import { values } from "./values.js";
import { repaint } from "./marks.js";
import { word } from "./steps.js";

/**
 * now: worker_brush.js tells what a brush is; picture: what it looks like; coming: until it is there; typed: its
 * text, if it was typed, for the layer typedFor; slots: brushes that are kept.
 */
export const brush = perMap(() => ({
    now: null,
    picture: null,
    coming: null,
    typed: "",
    typedFor: "",
    slots: Array(10).fill(null),
}));
let dropped = 0; // how often it was put away, of all maps: what was on its way then comes no more
const field = $("tile-text");

function show() {
    const { now } = brush;
    const one = now?.layers.length === 1 && now.width * now.height === 1;
    field.value = one ? now.layers[0].texts[now.layers[0].cells[0]] : "";
    field.placeholder =
        !now || one
            ? "freeze, tele-in:5"
            : `${now.width} x ${now.height} tiles${now.layers.length > 1 ? ` of ${now.layers.length} layers` : ""}`;
    $("slots").textContent = brush.slots
        .map((slot, i) => (slot ? (i + 1) % 10 : ""))
        .filter((one) => one !== "")
        .join(" ");
    $("slots-label").hidden = $("slots").textContent === "";
    values.show(now);
    repaint();
}

/** Takes a brush in hand: what make() promises, once all that was begun before is there. */
export function takeBrush(make) {
    const before = brush.coming;
    const number = dropped;
    brush.typed = "";
    $("brush").ariaBusy = "true";
    const mine = (brush.coming = (async () => {
        await before?.catch(() => {});
        const now = dropped === number ? await make() : null;
        const picture = now ? (await ask("drawBrush", now)).picture : null;
        if (dropped === number && now) Object.assign(brush, { now, picture });
    })());
    return attempt(() =>
        mine.finally(() => {
            if (brush.coming !== mine) return;
            brush.coming = null;
            $("brush").ariaBusy = "false";
            show();
        }),
    );
}
export function dropBrush() {
    dropped++;
    Object.assign(brush, { now: null, picture: null });
    show();
}

/** What is typed; empty: nothing is in hand. */
function typed() {
    const text = field.value.trim();
    if (!text) return dropBrush();
    if (!hasTiles(layer())) return say("Choose a layer of tiles first.");
    const done = takeBrush(() => ask("typeTile", { layer: layer(), text, values: values.now() }));
    Object.assign(brush, { typed: text, typedFor: layer() });
    return done;
}
field.onchange = typed;

/** Takes tiles of the chosen layers: of an area, as far as one of them reaches. */
export function grab([x, y, width, height]) {
    const layers = chosenLayers().filter(hasTiles);
    if (!layers.length) return say("Choose a layer of tiles first.");
    const [wide, high] = [0, 1].map((i) => Math.max(...layers.map((address) => layerAt(address).size[i])));
    const [left, top] = [Math.max(0, x), Math.max(0, y)];
    const size = [Math.min(wide, x + width) - left, Math.min(high, y + height) - top];
    if (Math.min(...size) <= 0) return say("That is outside of the layer.");
    return takeBrush(() => ask("grab", { layers, area: [left, top, ...size] }));
}
export const turnBrush = (operation) =>
    takeBrush(async () => brush.now && ask("turnBrush", { brush: brush.now, operation }));
export function keepBrush(slot) {
    if (!brush.now) return say("Nothing is in hand that could be kept.");
    brush.slots[slot] = brush.now;
    show();
    return say(`Kept in slot ${(slot + 1) % 10}.`);
}
export const takeSlot = (slot) => takeBrush(async () => brush.slots[slot]);
values.onChange = () => {
    if (brush.now) takeBrush(() => ask("dressBrush", { brush: brush.now, values: values.now() }));
};

// ---------------------------------------------------------------------------------------- what it writes

const SIDES = ["game", "front"]; // whose tiles are alike
const fits = (from, to) => from === to || to === "tiles" || (SIDES.includes(from) && SIDES.includes(to));

/**
 * Where the layers of a brush go: { address, texts, cells }; null, and it is said why, if they fit nowhere. A brush
 * of one layer goes to the chosen one.
 */
export function targetsOf({ layers }) {
    const targets = layers.map(({ address, kind, texts, plain, cells }) => {
        const to = layers.length > 1 ? address : layer();
        return {
            address: to,
            from: kind,
            kind: layerAt(to)?.kind,
            texts: layerAt(to)?.kind === "tiles" ? plain : texts,
            cells,
        };
    });
    const bad = targets.find(({ address, from, kind }) => !hasTiles(address) || !fits(from, kind));
    if (!bad) return targets;
    say(
        layer()
            ? `Tiles of a ${bad.from} layer have no meaning in a ${bad.kind ?? layerKind()} layer.`
            : "Choose a layer of tiles first.",
    );
    return null;
}

/** Tiles to write: tiles of layers by their places. */
export class Writing {
    constructor() {
        Object.assign(this, { layers: new Map(), wanted: 0, outside: 0 });
    }

    put(address, x, y, text) {
        const [width] = layerAt(address).size;
        if (!this.layers.has(address)) this.layers.set(address, new Map());
        this.layers.get(address).set(y * width + x, text);
    }

    /** A brush with its top left corner at a place, and again and again to the right and down as far as the area is. */
    stamp({ width, height }, targets, [x, y], [wide, high] = [width, height]) {
        for (const { address, texts, cells } of targets) {
            const [columns, rows] = layerAt(address).size;
            const [left, top] = [Math.max(0, -x), Math.max(0, -y)];
            const [right, bottom] = [Math.min(wide, columns - x), Math.min(high, rows - y)];
            this.wanted += wide * high;
            this.outside += wide * high - Math.max(0, right - left) * Math.max(0, bottom - top);
            for (let row = top; row < bottom; row++)
                for (let column = left; column < right; column++)
                    this.put(address, x + column, y + row, texts[cells[(row % height) * width + (column % width)]]);
        }
    }

    /** As operations, few rectangles of equal tiles. */
    lines() {
        return [...this.layers].flatMap(([address, tiles]) => {
            const [wide] = layerAt(address).size;
            return rectangles(tiles, wide).map(
                ([x, y, width, height, text]) =>
                    (text === "air" ? "clear" : "fill") +
                    ` ${address}@${x},${y}+${width}x${height}` +
                    (text === "air" ? "" : ` ${word(text)}`),
            );
        });
    }

    /** The rectangle of all. */
    area() {
        const places = [...this.layers].flatMap(([address, tiles]) =>
            [...tiles.keys()].map((at) => [at % layerAt(address).size[0], Math.floor(at / layerAt(address).size[0])]),
        );
        const low = (i) => places.reduce((least, one) => Math.min(least, one[i]), Infinity);
        const high = (i) => places.reduce((most, one) => Math.max(most, one[i]), -Infinity);
        return [low(0), low(1), high(0) - low(0) + 1, high(1) - low(1) + 1];
    }
}

/** Runs of equal tiles in rows, and equal runs below each other as one. */
function rectangles(tiles, wide) {
    const done = [];
    const open = new Map(); // by x, width and text: those that end in the row before
    const runs = [];
    for (const [at, text] of [...tiles].sort(([a], [b]) => a - b)) {
        const [x, y] = [at % wide, Math.floor(at / wide)];
        const last = runs.at(-1);
        if (last && last[1] === y && last[0] + last[2] === x && last[4] === text) last[2]++;
        else runs.push([x, y, 1, 1, text]);
    }
    for (const run of runs) {
        const key = [run[0], run[2], run[4]].join();
        const above = open.get(key);
        if (above && above[1] + above[3] === run[1]) above[3]++;
        else {
            open.set(key, run);
            done.push(run);
        }
    }
    return done;
}

on("renumbered", (follow) => {
    for (const one of new Set([brush.now, ...brush.slots]))
        for (const layer of one?.layers ?? []) layer.address = follow(layer.address) ?? layer.address;
    brush.typedFor = follow(brush.typedFor) ?? brush.typedFor;
});
on("opened", () => {
    $("brush").ariaBusy = "false"; // what was on its way is not waited for
    dropBrush();
});
on("chosen", () => {
    values.show(brush.now);
    // a text means another tile in another layer
    if (!brush.typed || !hasTiles(layer()) || brush.typedFor === layer()) return;
    field.value = brush.typed;
    typed();
});
