// SPDX-License-Identifier: Zlib
// The brush under the pointer: without one a drag takes tiles, with one it writes them; Shift fills an area, the
// right button makes one air.
import { $, say } from "./elements.js";
import { ask, on, session } from "./session.js";
import { addPainter, pixelsOf, repaint } from "./marks.js";
import { chosenLayers, hasTiles, layer, layerAt, layerGroup, locked, mayWrite } from "./chosen.js";
import { isShown } from "./layers.js";
import { edit } from "./steps.js";
import { brush, dropBrush, grab, keepBrush, takeSlot, targetsOf, turnBrush, Writing } from "./brush.js";
import { keepNumbers, takeNextNumber } from "./values.js";
import { openSheet } from "./sheet.js";

const AREAS = ["fill", "frame"]; // strokes that fill areas
const AIR = { width: 1, height: 1 };
let hover = null; // the tile under the pointer
let stroke = null;
const waiting = new Set(); // strokes that are on their way

const areaOf = ([ax, ay], [bx, by]) => [
    Math.min(ax, bx),
    Math.min(ay, by),
    Math.abs(ax - bx) + 1,
    Math.abs(ay - by) + 1,
];
const shape = () => $("shape").value;

/** The layers that air is written to. */
function airTargets() {
    const layers = chosenLayers().filter(hasTiles);
    if (layers.length) return layers.map((address) => ({ address, texts: ["air"], cells: [0] }));
    say("Choose a layer of tiles first.");
    return null;
}

/** Writes tiles as one step. mine: the stroke that shows them until they are there. */
export async function write(writing, mine = null) {
    const addresses = [...writing.layers.keys()];
    if (!addresses.length) return void (writing.wanted && say("That is outside of the layer: nothing is written."));
    if (!mayWrite(addresses, isShown)) return undefined;
    const [x, y, width, height] = writing.area();
    const automap = $("automap").checked
        ? addresses
              .filter((address) => layerAt(address).kind === "tiles")
              .map((address) => `automap ${address}@${x},${y}+${width}x${height}`)
        : [];
    if (mine) waiting.add(mine);
    const done = await edit([...writing.lines(), ...automap].join("\n")); // it says itself what failed
    waiting.delete(mine);
    if (!done?.changed) repaint();
    else if (writing.outside) {
        const outside = `${writing.outside} of ${writing.wanted} tiles were outside of the layer: not written.`;
        say(`${$("status").textContent} ${outside}`);
    }
    return done;
}

/** The four sides of an area, as thick as the brush. */
function sidesOf([x, y, wide, high], { width, height }) {
    const [thick, flat] = [Math.min(width, wide), Math.min(height, high)];
    const inner = [y + flat, high - 2 * flat];
    return [
        [x, y, wide, flat],
        [x, y + Math.max(flat, high - flat), wide, Math.min(flat, high - flat)],
        [x, inner[0], thick, inner[1]],
        [x + Math.max(thick, wide - thick), inner[0], Math.min(thick, wide - thick), inner[1]],
    ].filter(([, , ...size]) => Math.min(...size) > 0);
}

/** The bucket: tiles like the one of a place that hang together, in the chosen layer alone. */
async function pour({ from }) {
    const { now } = brush;
    const targets = targetsOf(now);
    if (!targets) return undefined;
    if (targets.length > 1) return say("The bucket takes tiles of one layer.");
    const { address, texts, cells } = targets[0];
    const [wide, high] = layerAt(address).size;
    if (from[0] < 0 || from[1] < 0 || from[0] >= wide || from[1] >= high) return say("That is outside of the layer.");
    const writing = new Writing();
    for (const at of await ask("flood", { address, place: from })) {
        const [x, y] = [at % wide, Math.floor(at / wide)];
        const [column, row] = [x - from[0], y - from[1]].map((far, i) => {
            const side = i ? now.height : now.width;
            return ((far % side) + side) % side;
        });
        writing.put(address, x, y, texts[cells[row * now.width + column]]);
    }
    keepNumbers(now);
    return write(writing);
}

/** What a stroke writes. */
function writingOf({ what, from, to, stamps }) {
    const writing = new Writing();
    const air = what === "erase";
    const targets = air ? airTargets() : targetsOf(brush.now);
    if (!targets) return null;
    const { width, height } = air ? AIR : brush.now;
    if (air || what === "fill") {
        const [x, y, wide, high] = areaOf(from, to);
        writing.stamp({ width, height }, targets, [x, y], [wide, high]);
    } else if (what === "frame")
        for (const [x, y, ...size] of sidesOf(areaOf(from, to), brush.now))
            writing.stamp(brush.now, targets, [x, y], size);
    else for (const place of stamps.values()) writing.stamp(brush.now, targets, place);
    return writing;
}

/** Places of the brush between two tiles: beside each other, as a pattern goes on. */
function stampTo(to) {
    const [{ now }, { from, last, stamps }] = [brush, stroke];
    const steps = Math.max(1, Math.abs(to[0] - last[0]), Math.abs(to[1] - last[1]));
    for (let i = 0; i <= steps; i++) {
        const at = [0, 1].map((k) => Math.round(last[k] + ((to[k] - last[k]) * i) / steps));
        const size = [now?.width ?? 1, now?.height ?? 1];
        const place = [0, 1].map((k) => from[k] + Math.floor((at[k] - from[k]) / size[k]) * size[k]);
        stamps.set(place.join(), place);
    }
    stroke.last = to;
}

export const brushTool = {
    right: true,
    down(cell, event) {
        const has = brush.now || brush.coming;
        const air = event.button === 2 || (event.shiftKey && !has);
        if (!air && !layer() && !chosenLayers().length) return void say("Choose a layer of tiles first.");
        const what = air
            ? "erase"
            : !has
              ? "grab"
              : event.shiftKey || shape() === "area"
                ? "fill"
                : shape() === "free"
                  ? "stamp"
                  : shape();
        if (what !== "grab" && !mayWrite(chosenLayers(), isShown)) return null;
        stroke = { what, right: event.button === 2, from: cell, to: cell, last: cell, stamps: new Map() };
        return stroke;
    },
    move(cell) {
        stroke.to = cell;
        if (stroke.what === "line") Object.assign(stroke, { stamps: new Map(), last: stroke.from });
        if (stroke.what === "stamp" || stroke.what === "line") stampTo(cell);
    },
    async up() {
        const mine = stroke;
        stroke = null;
        if (mine.right && brush.now && mine.from.join() === mine.to.join()) return dropBrush();
        if (mine.what === "grab") return grab(areaOf(mine.from, mine.to));
        await brush.coming?.catch(() => {});
        if (mine.what !== "erase" && !brush.now) return undefined;
        if (mine.what === "bucket") return pour(mine);
        const writing = writingOf(mine);
        if (writing && mine.what !== "erase") keepNumbers(brush.now);
        return (
            writing &&
            write(writing, mine.what === "erase" ? null : { ...mine, picture: brush.picture, now: brush.now })
        );
    },
    cancel() {
        stroke = null;
    },
    hover(cell) {
        hover = cell;
        tellReach();
    },
    /**
     * What a key does: N M mirror, R T turn, digits take from slots, with Ctrl or Shift they keep in them, Space
     * shows all tiles.
     */
    key(event) {
        const digit = /^Digit(\d)$/.exec(event.code ?? "")?.[1] ?? (/^\d$/.test(event.key) ? event.key : undefined);
        const slot = digit === undefined ? -1 : (Number(digit) + 9) % 10;
        const control = event.ctrlKey || event.metaKey;
        if (slot >= 0 && (control || event.shiftKey)) return () => keepBrush(slot);
        if (control) return event.key.toLowerCase() === "f" ? takeNextNumber : null;
        if (slot >= 0) return brush.slots[slot] ? () => takeSlot(slot) : null;
        const turns = { n: "mirror x", m: "mirror y", r: "rotate 270", t: "rotate 90" };
        if (turns[event.key] && (brush.now || brush.coming)) return () => turnBrush(turns[event.key]);
        return event.key === "Escape" && brush.now ? dropBrush : null;
    },
};

/** Holding Space shows the tiles of the layer. */
export const spaceKey = (event) =>
    event.key === " " && !event.repeat ? () => openSheet(true) : event.key === " " ? () => {} : null;

// --------------------------------------------------------------------------------------------------- what is seen

/** Says before it happens that something is not written, or lies outside. */
function tellReach() {
    const [closed, unseen] = [chosenLayers().find(locked), chosenLayers().find((one) => !isShown(one))];
    const { now } = brush;
    const target = now && (now.layers.length > 1 ? now.layers[0].address : layer());
    const [wide, high] = (target && layerAt(target)?.size) || [0, 0];
    const out =
        now &&
        hover &&
        hasTiles(target) &&
        (hover[0] < 0 || hover[1] < 0 || hover[0] + now.width > wide || hover[1] + now.height > high);
    $("reach").textContent = closed
        ? "The layer is locked."
        : unseen
          ? "The layer is hidden."
          : out
            ? "A part of the brush is outside of the layer."
            : "";
    $("picture").classList.toggle("closed", Boolean(closed || unseen));
}

function drawBrush(pen, now, picture, [x, y], group) {
    const [[left, top], [right, bottom]] = [pixelsOf(group, x, y), pixelsOf(group, x + now.width, y + now.height)];
    if (picture) pen.drawImage(picture, left, top, right - left, bottom - top);
}

addPainter((pen) => {
    if (!session.map || !$("view").classList.contains("paint")) return;
    const group = layerGroup();
    const box = ([x, y, width, height], color) => {
        const [[left, top], [right, bottom]] = [pixelsOf(group, x, y), pixelsOf(group, x + width, y + height)];
        pen.fillStyle = `${color}40`;
        pen.strokeStyle = color;
        pen.lineWidth = 1.5;
        pen.fillRect(left, top, right - left, bottom - top);
        pen.strokeRect(left, top, right - left, bottom - top);
    };
    pen.save();
    pen.imageSmoothingEnabled = false;
    const size = layerAt(layer())?.size;
    for (const one of waiting) {
        for (const place of one.stamps.values()) drawBrush(pen, one.now, one.picture, place, group);
        for (const area of areasOf(one)) fillWith(pen, one.now, one.picture, area, group);
    }
    const { now, picture } = brush;
    if (stroke && now && AREAS.includes(stroke.what))
        for (const area of areasOf(stroke)) fillWith(pen, now, picture, area, group);
    else if (stroke && ["erase", "grab", ...AREAS].includes(stroke.what))
        box(areaOf(stroke.from, stroke.to), stroke.what === "erase" ? "#ef4444" : "#3b82f6");
    else if (stroke)
        for (const place of stroke.stamps.values())
            now ? drawBrush(pen, now, picture, place, group) : box([...place, 1, 1], "#3b82f6");
    if (!stroke && hover && now) {
        if (size) {
            const [[left, top], [right, bottom]] = [pixelsOf(group, 0, 0), pixelsOf(group, ...size)];
            pen.beginPath();
            pen.rect(left, top, right - left, bottom - top);
            pen.clip();
        }
        drawBrush(pen, now, picture, hover, group);
        box([...hover, now.width, now.height], "#3b82f6");
    }
    pen.restore();
});

/** What a stroke fills with the pattern. */
function areasOf({ what, from, to, now = brush.now }) {
    if (!AREAS.includes(what)) return [];
    return what === "fill" ? [areaOf(from, to)] : sidesOf(areaOf(from, to), now);
}

function fillWith(pen, now, picture, [x, y, width, height], group) {
    const [[left, top], [right, bottom]] = [pixelsOf(group, x, y), pixelsOf(group, x + width, y + height)];
    pen.save();
    pen.beginPath();
    pen.rect(left, top, right - left, bottom - top);
    pen.clip();
    for (let row = 0; row < height; row += now.height)
        for (let column = 0; column < width; column += now.width)
            drawBrush(pen, now, picture, [x + column, y + row], group);
    pen.restore();
}

for (const event of ["opened", "chosen", "shown"])
    on(event, () => {
        if (session.map) tellReach();
    });
on("opened", () => {
    hover = stroke = null;
    waiting.clear();
});
$("picture").addEventListener("pointerleave", () => {
    hover = null;
});
