// SPDX-License-Identifier: Zlib
// The tool for quads and sound sources: several are chosen, moved, turned, colored and removed; new ones are drawn;
// the knife cuts a part of a quad into a new one. Corners and pivots are dragged, or moved with the arrow keys.
import { $, attempt, attend, say } from "./elements.js";
import { ask, on, perMap } from "./session.js";
import { edit } from "./steps.js";
import { isShown } from "./layers.js";
import { addPainter, pixelsOf, repaint, tilesOf } from "./marks.js";
import { layer, layerGroup, layerKind, mayWrite } from "./chosen.js";
import { newEnvelope, openEnvelope } from "./envelopes.js";
import { showElement } from "./properties.js";

const PIVOT = 4;
const NEAR = 12; // pixels
const GRID = 16; // px of the map between the lines that places snap to
const PX = 32; // of a tile
const ENVELOPES = [["position", "quad-position"], ["color", "quad-color-envelope"]];
const KINDS = ["quads", "sounds"];
// from: the layer; points: of each quad in tiles, or the place of each source; held: [quad, point] that keys move
const state = perMap(() => ({ from: "", points: [], sources: [], held: null, chosen: new Set(), cuts: false }));
let way = [0, 0]; // how far it is dragged, in tiles
let box = null; // what is drawn: [x, y, width, height] in tiles

const wanted = () => document.querySelector("#tools input[value=quads]").checked;
const isSources = () => layerKind() === "sounds";
const pivotOf = (points) => points[points.length - 1];
const snapped = (place) => ($("snap").checked ? Math.round((place * PX) / GRID) * (GRID / PX) : place);
const numbers = (...list) => list.map((one) => Math.round(one * 1024) / 1024).join();

async function read() {
    const mine = wanted() && KINDS.includes(layerKind()) ? layer() : "";
    if (mine !== state.from) Object.assign(state, { from: mine, points: [], held: null, chosen: new Set() });
    const found = mine ? await ask(isSources() ? "sources" : "quads", { layer: mine }) : [];
    if (mine !== state.from) return; // another one was chosen meanwhile
    state.sources = isSources() ? found : [];
    state.points = isSources() ? found.map(({ place }) => [place]) : found;
    state.chosen = new Set([...state.chosen].filter((one) => one < state.points.length));
    if (!state.points[state.held?.[0]]) state.held = null;
    $("quads-panel").dataset.places = String(state.points.length);
    await show();
    repaint();
}
const begin = () =>
    attempt(async () => {
        Object.assign(state, { points: [], held: null, cuts: false });
        await read();
        if (!wanted()) return;
        const number = state.points.length;
        if (isSources()) say(`Sound sources that can be dragged: ${number}.`);
        else say(number ? `Quads that can be dragged: ${number}.` : "Choose a layer of quads or of sounds.");
    });

function choose(list, held = null) {
    state.chosen = new Set(list);
    state.held = held;
    if (list.length) showElement(layer(), list[0]);
    void attend($("quads-told"), show);
    repaint();
}

/** Where a handle is on the picture, with what is dragged. */
function place(quad, point) {
    const [x, y] = state.points[quad][point];
    const { held, chosen } = state;
    const whole = held && (held[1] === PIVOT || isSources());
    const along = held && (whole ? chosen.has(quad) : held[0] === quad && held[1] === point);
    return pixelsOf(layerGroup(), x + (along ? way[0] : 0), y + (along ? way[1] : 0));
}

const mayChange = () => mayWrite([layer()], isShown);
const field = (quad, name) => `'${layer()}.quads[${quad}].${name}'`;
const set = (words) => mayChange() && words.length > 0 && edit(`set ${words.join(" ")}`);

/** Moves what is held by px of the map: a corner alone, or all of what is chosen. */
function moveBy(dx, dy) {
    const { held, chosen } = state;
    if (!held || !(dx || dy)) return undefined;
    const [quad, point] = held;
    const all = [...(chosen.has(quad) ? chosen : [quad])];
    if (isSources())
        return set(
            all.flatMap((one) => [[dx, "x"], [dy, "y"]].filter(([far]) => far)
                .map(([far, name]) => `'${layer()}.sources[${one}].${name}+=${far}'`)),
        );
    if (point !== PIVOT) return set([`'${layer()}.quads[${quad}].points[${point}]+=${numbers(dx, dy)}'`]);
    return set(all.map((one) => `'${layer()}.quads[${one}].points[*]+=${numbers(dx, dy)}'`));
}

/** Turns what is chosen about its pivots, clockwise. */
async function turn(degrees) {
    if (isSources() || !state.chosen.size) return say("Choose a quad first.");
    await read(); // a step before it may have moved them
    const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
    return set(
        [...state.chosen].flatMap((quad) => {
            const [px, py] = state.points[quad][PIVOT];
            return state.points[quad].slice(0, PIVOT).map(([x, y], i) => {
                const [dx, dy] = [x - px, y - py];
                const to = [px + dx * cos - dy * sin, py + dx * sin + dy * cos];
                return `'${layer()}.quads[${quad}].points[${i}]=${numbers(...to.map((one) => one * PX))}'`;
            });
        }),
    );
}

async function remove() {
    if (!state.chosen.size || !mayChange()) return;
    const list = isSources() ? "sources" : "quads";
    const gone = [...state.chosen].map((one) => `'${layer()}.${list}[${one}]'`);
    state.chosen = new Set();
    await edit(`remove ${gone.join(" ")}`);
}

/** A new quad over an area in tiles, or a source in its middle. */
async function add([x, y, width, height]) {
    if (!mayChange()) return;
    const [left, top, wide, high] = [x, y, width, height].map((one) => Math.round(one * PX));
    const line = isSources()
        ? `add source ${layer()} ${left + Math.round(wide / 2)},${top + Math.round(high / 2)}`
        : `add quad ${layer()} ${left},${top}${wide && high ? ` ${wide}x${high}` : ""}`;
    if ((await edit(line))?.changed) chooseLast();
}

/** Behind a step that added one. */
async function chooseLast() {
    await read();
    const last = state.points.length - 1;
    choose([last], [last, isSources() ? 0 : PIVOT]);
}

/** Whether a point lies in a quad: in one of its two triangles. */
function contains([a, b, c, d], [x, y]) {
    const side = ([ax, ay], [bx, by]) => (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    const inside = (p, q, r) => {
        const sides = [side(p, q), side(q, r), side(r, p)];
        return sides.every((one) => one >= 0) || sides.every((one) => one <= 0);
    };
    return inside(a, b, c) || inside(b, d, c);
}
const quadAt = (point) => state.points.findLastIndex((points) => points.length > 1 && contains(points, point));

async function cut([x, y, width, height]) {
    state.cuts = false;
    if (!width || !height || !mayChange()) return;
    const middle = [x + width / 2, y + height / 2];
    const quad = [...state.chosen].find((one) => contains(state.points[one], middle)) ?? quadAt(middle);
    if (quad < 0) return void say("There is no quad below: the knife cuts a part of one.");
    const corners = [[x, y], [x + width, y], [x, y + height], [x + width, y + height]];
    const words = corners.map((one) => numbers(...one.map((far) => far * PX)));
    if ((await edit(`quads knife ${layer()} ${quad} ${words.join(" ")}`))?.changed) await chooseLast();
}

// ---------------------------------------------------------------------------------------------- pointer and keys

/** All handles, in order: four corners and the pivot of each quad. */
const handles = () => state.points.flatMap((points, quad) => points.map((_, point) => [quad, point]));

function handleAt(x, y) {
    let [best, found] = [NEAR, null];
    for (const [quad, point] of handles()) {
        const [px, py] = place(quad, point);
        const far = Math.hypot(px - x, py - y);
        if (far < best || (far === best && state.chosen.has(quad))) [best, found] = [far, [quad, point]];
    }
    return found;
}

const areaOf = (from, to) => {
    const [ax, ay, bx, by] = [...from, ...to].map(snapped);
    return [Math.min(ax, bx), Math.min(ay, by), Math.abs(ax - bx), Math.abs(ay - by)];
};

export const quadTool = {
    begin,
    down(_, event) {
        if (!state.from) return null;
        const from = tilesOf(layerGroup(), event.offsetX, event.offsetY);
        const found = state.cuts || event.shiftKey ? null : handleAt(event.offsetX, event.offsetY);
        const inside = found ? found[0] : quadAt(from);
        way = [0, 0];
        if (state.cuts || event.shiftKey) return { from, what: state.cuts ? "cut" : "draw" };
        if (event.ctrlKey && inside >= 0) {
            const { chosen } = state;
            choose(chosen.has(inside) ? [...chosen].filter((one) => one !== inside) : [...chosen, inside]);
            return null;
        }
        if (inside < 0) return { from, what: "choose" };
        choose(state.chosen.has(inside) ? [...state.chosen] : [inside], found ?? [inside, PIVOT]);
        return { from, what: "move" };
    },
    move(_, event, stroke) {
        const to = tilesOf(layerGroup(), event.offsetX, event.offsetY);
        const { from, what } = stroke;
        if (what !== "move") {
            box = what === "choose" ? [...from, to[0] - from[0], to[1] - from[1]] : areaOf(from, to);
            return;
        }
        const [x, y] = state.points[state.held[0]][state.held[1] === PIVOT && isSources() ? 0 : state.held[1]];
        const far = [to[0] - from[0], to[1] - from[1]];
        const still = Math.hypot(...far) * PX < 2;
        way = still ? [0, 0] : [snapped(x + far[0]) - x, snapped(y + far[1]) - y];
    },
    async up({ what, from }) {
        const drawn = box;
        const far = way.map((one) => Math.round(one * PX * 1024) / 1024);
        [box, way] = [null, [0, 0]];
        if (what === "move") return moveBy(...far);
        if (what === "cut") return cut(drawn);
        if (what === "draw") return add(drawn ?? [...from.map(snapped), 0, 0]);
        const [x, y, width, height] = drawn ?? [...from, 0, 0];
        const [left, top] = [Math.min(x, x + width), Math.min(y, y + height)];
        const within = ([px, py]) =>
            px >= left && py >= top && px <= left + Math.abs(width) && py <= top + Math.abs(height);
        return choose([...state.points.keys()].filter((quad) => within(pivotOf(state.points[quad]))));
    },
    cancel() {
        [box, way] = [null, [0, 0]];
    },
    /** , and . take another handle, arrows move it by a pixel, with Shift by a tile; R T turn, K cuts. */
    key({ key, shiftKey }, arrow) {
        const all = handles();
        const { held } = state;
        if (arrow && held) return () => moveBy(...arrow.map((one) => one * (shiftKey ? PX : 1)));
        if (key === "Delete") return remove;
        if (key === "Escape") return () => ((state.cuts = false), choose([]));
        const turns = { t: 90, r: -90 };
        if (turns[key] && state.chosen.size) return () => turn(turns[key]);
        if (key === "k" && state.points.length && !isSources()) return () => takeKnife();
        if (!all.length || ![",", "."].includes(key)) return null;
        const now = held ? all.findIndex((one) => one.join() === held.join()) : key === "." ? -1 : 0;
        return () => {
            const next = all[(now + (key === "." ? 1 : all.length - 1)) % all.length];
            choose([next[0]], next);
            if (isSources()) say(`Source ${next[0]}.`);
            else say(`Quad ${next[0]}, ${next[1] === PIVOT ? "pivot" : `corner ${next[1]}`}.`);
        };
    },
};

function takeKnife() {
    state.cuts = true;
    say("Drag over the part of a quad that becomes one of its own.");
}

// --------------------------------------------------------------------------------------------------- the panel

const image = $("quad-image");
let shown = { texture: [], from: null, number: 0, envelopes: {} };

/** The image of the layer, with the part that the first chosen quad shows. */
async function show() {
    const [quad] = state.chosen;
    const sources = isSources();
    $("quads-panel").hidden = !state.from;
    $("quads-title").textContent = sources ? "Sound sources" : "Quads";
    $("quads-told").textContent = state.chosen.size
        ? `Chosen: ${[...state.chosen].slice(0, 8).join(", ")}${state.chosen.size > 8 ? " ..." : ""}`
        : sources
          ? "Shift and a click add a source."
          : "Shift and drag draw a new one.";
    for (const one of document.querySelectorAll("#quads-panel .of-quads")) one.hidden = sources || quad === undefined;
    if (sources || quad === undefined || !state.from) return;
    const mine = ++shown.number;
    const told = await ask("quad", { layer: state.from, quad, size: image.width });
    if (mine !== shown.number) return;
    Object.assign(shown, { texture: told.texture, envelopes: told.envelopes });
    for (const [type, id] of ENVELOPES) {
        const has = told.envelopes[type] !== null;
        $(id).textContent = has ? `${type}: curves` : `${type}: new`;
    }
    shown.picture = told.data ? new ImageData(told.data, told.width, told.height) : null;
    if (document.activeElement !== $("quad-color")) {
        const same = told.colors.every((one) => one === told.colors[0]);
        $("quad-color").value = same ? told.colors[0] : "";
        $("quad-color").placeholder = same ? "" : "(several)";
        $("quad-color-picture").value = told.colors[0].slice(0, 7);
    }
    drawTexture();
}

function drawTexture(area = null) {
    const pen = image.getContext("2d");
    const side = image.width;
    pen.clearRect(0, 0, side, side);
    if (shown.picture) pen.putImageData(shown.picture, 0, 0);
    pen.strokeStyle = "#f97316";
    pen.lineWidth = 3;
    pen.beginPath();
    const corners = area ? cornersOf(area) : shown.texture;
    for (const corner of [0, 1, 3, 2, 0]) if (corners[corner]) pen.lineTo(...corners[corner].map((one) => one * side));
    pen.stroke();
}

const cornersOf = ([x, y, width, height]) => [[x, y], [x + width, y], [x, y + height], [x + width, y + height]];
const textureAt = (event) =>
    [event.offsetX / image.clientWidth, event.offsetY / image.clientHeight].map((one) =>
        Math.max(0, Math.min(1, Math.round(one * GRID) / GRID)),
    );
const textureArea = (to) => {
    const [[ax, ay], [bx, by]] = [shown.from, to];
    return [Math.min(ax, bx), Math.min(ay, by), Math.abs(ax - bx), Math.abs(ay - by)];
};
const setTexture = (area) =>
    set(
        [...state.chosen].flatMap((quad) =>
            cornersOf(area).map((at, i) => field(quad, `texture[${i}]=${numbers(...at)}`)),
        ),
    );
image.onpointerdown = (event) => {
    image.setPointerCapture(event.pointerId);
    shown.from = textureAt(event);
};
image.onpointermove = (event) => {
    if (shown.from) drawTexture(textureArea(textureAt(event)));
};
image.onpointerup = (event) => {
    if (!shown.from) return;
    const area = textureArea(textureAt(event));
    shown.from = null;
    if (area[2] && area[3]) attempt(() => setTexture(area));
    else drawTexture();
};

function setColor(color) {
    const corner = $("quad-corner").value;
    return attempt(() => set([...state.chosen].map((quad) => field(quad, `colors[${corner}]=${color}`))));
}
$("quad-color").onfocus = () => $("quad-color").select();
$("quad-color").onchange = () => setColor($("quad-color").value.trim());
$("quad-color-picture").onchange = ({ target }) => setColor(target.value + ($("quad-color").value.slice(7) || "ff"));
/** The envelope of the first chosen quad, or a new one for all that are chosen. */
for (const [type, id] of ENVELOPES)
    $(id).onclick = () => {
        const has = shown.envelopes[type] ?? null;
        if (has !== null) return attempt(() => openEnvelope(`envelope/${has}`));
        const users = [...state.chosen].map((quad) => `${layer()}.quads[${quad}].${type}_envelope`);
        return mayChange() && newEnvelope(type, users);
    };
$("quad-knife").onclick = takeKnife;
$("quad-left").onclick = () => attempt(() => turn(-90));
$("quad-right").onclick = () => attempt(() => turn(90));
$("quad-remove").onclick = () => attempt(remove);
$("quad-add").onclick = () =>
    attempt(() => {
        const { clientWidth, clientHeight } = $("picture");
        return add([...tilesOf(layerGroup(), clientWidth / 2, clientHeight / 2).map(snapped), 0, 0]);
    });

// --------------------------------------------------------------------------------------------------- the picture

/** How far a source is heard, and from where on it fades. */
function drawSource(pen, { shape, radius, width, height, falloff }, [x, y]) {
    const scale = pixelsOf(layerGroup(), 1, 0)[0] - pixelsOf(layerGroup(), 0, 0)[0];
    for (const part of [1, 1 - falloff / 255]) {
        pen.beginPath();
        if (shape === "circle") pen.ellipse(x, y, radius * scale * part, radius * scale * part, 0, 0, 2 * Math.PI);
        else pen.rect(x - (width * scale * part) / 2, y - (height * scale * part) / 2, width * scale * part, height * scale * part);
        pen.stroke();
    }
}

addPainter((pen) => {
    if (!wanted() || !state.from) return;
    const { points, held, chosen, sources } = state;
    points.forEach((list, quad) => {
        const places = list.map((_, point) => place(quad, point));
        pen.strokeStyle = chosen.has(quad) ? "#fff" : "#f97316";
        pen.lineWidth = chosen.has(quad) ? 2 : 1;
        if (sources[quad]) drawSource(pen, sources[quad], places[0]);
        else {
            pen.beginPath();
            for (const corner of [0, 1, 3, 2, 0]) pen.lineTo(...places[corner]);
            pen.stroke();
        }
        places.forEach(([x, y], point) => {
            const taken = held?.[0] === quad && held[1] === point;
            pen.fillStyle = taken ? "#fff" : point === PIVOT || places.length === 1 ? "#16a34a" : "#f97316";
            pen.lineWidth = 1;
            pen.fillRect(x - 5, y - 5, 10, 10);
            pen.strokeStyle = "#000";
            pen.strokeRect(x - 5, y - 5, 10, 10);
        });
    });
    if (!box) return;
    const [x, y] = pixelsOf(layerGroup(), box[0], box[1]);
    const [right, bottom] = pixelsOf(layerGroup(), box[0] + box[2], box[1] + box[3]);
    pen.strokeStyle = state.cuts ? "#ef4444" : "#3b82f6";
    pen.lineWidth = 1.5;
    pen.strokeRect(x, y, right - x, bottom - y);
});

const readAnew = () => void attend($("quads-told"), read);
on("opened", readAnew); // what belonged to the map before went with it
on("chosen", readAnew); // behind each step, too
