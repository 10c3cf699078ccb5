// SPDX-License-Identifier: Zlib
// Envelopes as curves: points and the handles of Bezier curves are dragged, inserted and removed, by the pointer or
// by keys and fields; the way of quads that use the envelope is drawn on the map.
import { $, attempt, attend, make, say } from "./elements.js";
import { ask, on, perMap, session } from "./session.js";
import { objectsOf } from "./chosen.js";
import { handlesOf, valueAt } from "./envelope_curves.js";
import { moment } from "./look.js";
import { addPainter, pixelsOf, repaint } from "./marks.js";
import { edit, word } from "./steps.js";

const CHANNELS = { position: ["X", "Y", "rotation"], color: ["R", "G", "B", "A"], sound: ["volume"] };
const COLORS = ["#ef4444", "#22c55e", "#3b82f6", "#a1a1aa"];
const CURVES = { step: "s", linear: "l", slow: "w", fast: "f", smooth: "m", bezier: "b" };
const BEGIN = { position: [0, 0, 0], color: [1, 1, 1, 1], sound: [1] };
const NEAR = 12; // pixels
const RULER = 14;
const LEAST = 2000; // ms that are seen at least
const SAMPLES = 96; // of a way on the map
const USERS = 200; // quads whose way is drawn
const PX = 32; // of a tile
const canvas = $("curves");
const pen = canvas.getContext("2d");
const blank = () => ({ address: "", type: "position", points: [], point: 0, channel: 0, users: [], zoom: 1 });
const state = perMap(blank);
let stroke = null; // { what: "point", "in", "out" or "time", time, value }
let frame = { from: 0, to: LEAST, low: -1, high: 1 }; // what is seen

const names = () => CHANNELS[state.type] ?? CHANNELS.sound;
const rounded = (value) => Math.round(value * 1024) / 1024;

// ------------------------------------------------------------------------------------------------- what is seen

/** The least and most that the channel needs, with room. */
function newFrame() {
    const { points, channel, type, zoom } = state;
    const last = points.at(-1)?.time ?? 0;
    const values = points.flatMap(({ values: all, outDy, inDy, curve }, i) => [
        all[channel],
        ...(curve === "bezier" ? [all[channel] + outDy[channel]] : []),
        ...(points[i - 1]?.curve === "bezier" ? [all[channel] + inDy[channel]] : []),
    ]);
    const [least, most] = type === "position" ? (channel === 2 ? [-180, 180] : [-100, 100]) : [0, 1];
    const [low, high] = [Math.min(least, ...values), Math.max(most, ...values)];
    const room = (high - low) / 8;
    return { from: 0, to: (Math.max(LEAST, last) * 1.25) / zoom, low: low - room, high: high + room };
}
const xOf = (time) => ((time - frame.from) / (frame.to - frame.from)) * canvas.clientWidth;
const yOf = (value) => RULER + ((frame.high - value) / (frame.high - frame.low)) * (canvas.clientHeight - RULER);
const timeOf = (x) => frame.from + (x / canvas.clientWidth) * (frame.to - frame.from);
const valueOf = (y) => frame.high - ((y - RULER) / (canvas.clientHeight - RULER)) * (frame.high - frame.low);

/** A step of 1, 2, 5 times a power of ten, or a power of two, that has so many pixels at least. */
function stepFor(units, pixels, doubling) {
    let step = doubling ? 2 ** -10 : 0.01;
    for (let i = 0; step / units < pixels; i++) step *= doubling ? 2 : [2, 2.5, 2][i % 3];
    return step;
}
const steps = () => {
    const [wide, high] = [frame.to - frame.from, frame.high - frame.low];
    const distance = state.type === "position" && state.channel < 2;
    return [
        stepFor(wide / canvas.clientWidth, 10, false),
        stepFor(high / (canvas.clientHeight - RULER), 4, distance),
    ];
};
function snapped(time, value) {
    if (!$("envelope-snap").checked) return [Math.round(time), rounded(value)];
    const [dt, dv] = steps();
    return [Math.round(Math.round(time / dt) * dt), rounded(Math.round(value / dv) * dv)];
}

function drawLine(from, to, channel) {
    if (from.curve === "bezier") {
        const [times, values] = handlesOf(from, to, channel);
        pen.bezierCurveTo(...[1, 2, 3].flatMap((i) => [xOf(times[i]), yOf(values[i])]));
        return;
    }
    const parts = from.curve === "linear" ? 1 : 24;
    for (let i = 1; i <= parts; i++) {
        const time = from.time + ((to.time - from.time) * i) / parts;
        const value = i === parts ? to.values[channel] : valueAt([from, to], channel, time);
        if (from.curve === "step" && i === parts) pen.lineTo(xOf(time), yOf(from.values[channel]));
        pen.lineTo(xOf(time), yOf(value));
    }
}

function draw() {
    if ($("envelope-panel").hidden) return;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    Object.assign(canvas, { width: Math.max(1, width * ratio), height: Math.max(1, height * ratio) });
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = "#18181b";
    pen.fillRect(0, 0, width, height);
    pen.font = "11px system-ui, sans-serif";
    const second = stepFor((frame.to - frame.from) / width, 70, false);
    const mark = stepFor((frame.high - frame.low) / (height - RULER), 28, false);
    pen.fillStyle = "#e4e4e7";
    pen.strokeStyle = "#fff3";
    pen.lineWidth = 1;
    pen.beginPath();
    for (let time = 0; time <= frame.to; time += second) {
        pen.fillText(`${Math.round(time) / 1000} s`, xOf(time) + 2, 11);
        pen.moveTo(xOf(time), RULER);
        pen.lineTo(xOf(time), height);
    }
    for (let value = Math.ceil(frame.low / mark) * mark; value <= frame.high; value += mark) {
        pen.fillText(String(rounded(value)), 2, yOf(value) - 2);
        pen.moveTo(0, yOf(value));
        pen.lineTo(width, yOf(value));
    }
    pen.stroke();
    const points = pointsNow();
    names().forEach((_, channel) => {
        if (!points.length) return;
        pen.strokeStyle = COLORS[channel];
        pen.lineWidth = channel === state.channel ? 2.5 : 1;
        pen.beginPath();
        pen.moveTo(xOf(points[0].time), yOf(points[0].values[channel]));
        for (let i = 1; i < points.length; i++) drawLine(points[i - 1], points[i], channel);
        pen.stroke();
    });
    drawHandles(points);
    const last = points.at(-1)?.time ?? 0;
    const x = xOf(last ? moment.time % last : 0);
    pen.fillStyle = "#facc15";
    pen.fillRect(x - 0.5, 0, 1.5, height);
}

function drawHandles(points) {
    const { channel, point } = state;
    const chosen = points[point];
    if (chosen)
        for (const [dx, dy] of tangents(points)) {
            const [x, y] = [xOf(chosen.time), yOf(chosen.values[channel])];
            const to = [xOf(chosen.time + dx), yOf(chosen.values[channel] + dy)];
            pen.strokeStyle = "#fff";
            pen.lineWidth = 1;
            pen.beginPath();
            pen.moveTo(x, y);
            pen.lineTo(...to);
            pen.stroke();
            pen.fillStyle = "#fff";
            pen.fillRect(to[0] - 3, to[1] - 3, 6, 6);
        }
    points.forEach(({ time, values }, i) => {
        pen.fillStyle = i === point ? "#fff" : COLORS[channel];
        pen.fillRect(xOf(time) - 5, yOf(values[channel]) - 5, 10, 10);
        pen.strokeStyle = "#000";
        pen.lineWidth = 1;
        pen.strokeRect(xOf(time) - 5, yOf(values[channel]) - 5, 10, 10);
    });
}

/** The handles of the chosen point: [dx, dy, "in" or "out"]. */
function tangents(points) {
    const { point, channel } = state;
    const chosen = points[point];
    if (!chosen) return [];
    const before = points[point - 1]?.curve === "bezier" ? [[chosen.inDx[channel], chosen.inDy[channel], "in"]] : [];
    const after =
        chosen.curve === "bezier" && points[point + 1] ? [[chosen.outDx[channel], chosen.outDy[channel], "out"]] : [];
    return [...before, ...after];
}

/** The points with what is being dragged. */
function pointsNow() {
    const { points, point, channel } = state;
    if (!stroke || stroke.what === "time" || !points[point]) return points;
    return points.map((one, i) => {
        if (i !== point) return one;
        if (stroke.what === "point") {
            const values = one.values.with(channel, stroke.value);
            return { ...one, time: stroke.time, values };
        }
        const [dx, dy] = [stroke.time - one.time, stroke.value - one.values[channel]];
        const sides = { in: ["inDx", "inDy"], out: ["outDx", "outDy"] }[stroke.what];
        return { ...one, [sides[0]]: one[sides[0]].with(channel, dx), [sides[1]]: one[sides[1]].with(channel, dy) };
    });
}

// ------------------------------------------------------------------------------------------------- what is done

/** The time that a point may have: between its neighbours. */
function between(point, time) {
    const { points } = state;
    return Math.round(Math.max(points[point - 1]?.time ?? 0, Math.min(points[point + 1]?.time ?? Infinity, time)));
}
const set = (...words) => edit(`set ${words.map((one) => word(`${state.address}.points[${state.point}].${one}`)).join(" ")}`);

function movePoint(time, value) {
    const one = state.points[state.point];
    const at = between(state.point, time);
    const words = [];
    if (at !== one.time) words.push(`time=${at}`);
    if (value !== one.values[state.channel]) words.push(`values[${state.channel}]=${rounded(value)}`);
    return words.length ? set(...words) : draw();
}

function moveTangent(side, time, value) {
    const one = state.points[state.point];
    const dx = Math.round(time - one.time);
    const limited = side === "in" ? Math.min(0, dx) : Math.max(0, dx);
    const dy = rounded(value - one.values[state.channel]);
    return set(`${side}_dx[${state.channel}]=${limited}`, `${side}_dy[${state.channel}]=${dy}`);
}

async function insert(time, value = null) {
    const { points, channel, address } = state;
    const at = Math.max(0, Math.round(time));
    const values = names().map((_, i) => (i === channel && value !== null ? value : valueAt(points, i, at)));
    const before = points.filter((one) => one.time <= at).length;
    if ((await edit(`add point ${address} ${at} ${values.map(rounded).join(" ")}`))?.changed) state.point = before;
    await read();
}

async function removePoint() {
    const { point, points, address } = state;
    if (!points[point]) return;
    await edit(`remove ${word(`${address}.points[${point}]`)}`);
    state.point = Math.max(0, point - 1);
}

function choosePoint(point) {
    state.point = Math.max(0, Math.min(state.points.length - 1, point));
    show();
}

/** A new envelope of two points; users: addresses with fields that get it. */
export const newEnvelope = (type, users = []) =>
    attempt(async () => {
        const address = `envelope/${objectsOf("envelope").length}`;
        const values = BEGIN[type].join(" ");
        const lines = [`add envelope ${type}`, `add point ${address} 0 ${values}`, `add point ${address} 1000 ${values}`];
        if (users.length) lines.push(`set ${users.map((user) => word(`${user}=${address}`)).join(" ")}`);
        if (!(await edit(lines.join("\n")))?.changed) return;
        await openEnvelope(address);
        state.point = 1;
        show();
        $("envelope-name").focus();
        $("envelope-name").select();
    });

export async function openEnvelope(address) {
    Object.assign(state, { ...blank(), address });
    $("envelope-panel").hidden = false;
    await read();
}

// ------------------------------------------------------------------------------------------------- fields

async function read() {
    const mine = state.address;
    const known = session.map?.objects.some(({ address }) => address === mine);
    if (!known) {
        state.address = "";
        $("envelope-panel").hidden = true;
        return;
    }
    const told = await ask("envelope", { address: mine, most: USERS });
    if (mine !== state.address) return;
    Object.assign(state, told);
    state.channel = Math.min(state.channel, names().length - 1);
    state.point = Math.max(0, Math.min(state.point, state.points.length - 1));
    frame = newFrame();
    show();
    repaint();
}

function putValue(input, value) {
    if (document.activeElement !== input) input.value = value;
}

function channelButton(name, i) {
    const button = make("button", {}, name);
    button.dataset.channel = i;
    button.onclick = () => {
        state.channel = i;
        frame = newFrame();
        show();
    };
    return button;
}

function show() {
    const { points, point, channel, address } = state;
    const envelopes = objectsOf("envelope");
    $("envelope").replaceChildren(
        ...envelopes.map((one) => make("option", { value: one.address }, `${one.address} ${one.name}`)),
    );
    $("envelope").value = address;
    putValue($("envelope-name"), envelopes.find((one) => one.address === address)?.name ?? "");
    if ([...$("channels").children].map((button) => button.textContent).join() !== names().join())
        $("channels").replaceChildren(...names().map(channelButton)); // one that is being pressed stays
    [...$("channels").children].forEach((button, i) => {
        button.ariaPressed = String(i === channel);
    });
    const one = points[point];
    for (const id of ["point-time", "point-value", "point-curve", "point-remove"]) $(id).disabled = !one;
    $("point-told").textContent = one ? `point ${point} of ${points.length}` : "no points";
    if (one) {
        putValue($("point-time"), one.time);
        putValue($("point-value"), rounded(one.values[channel]));
        $("point-curve").value = one.curve;
    }
    canvas.dataset.frame = JSON.stringify({ ...frame, ruler: RULER });
    canvas.dataset.points = points.map(({ time }) => time).join();
    draw();
}

$("point-curve").replaceChildren(...Object.keys(CURVES).map((name) => make("option", { value: name }, name)));
$("point-curve").onchange = () => attempt(() => set(`curve=${$("point-curve").value}`));
for (const id of ["point-time", "point-value", "envelope-name"]) $(id).onfocus = () => $(id).select();
$("point-time").onchange = () => attempt(() => movePoint(Number($("point-time").value) || 0, state.points[state.point].values[state.channel]));
$("point-value").onchange = () =>
    attempt(() => {
        const value = Number($("point-value").value);
        return Number.isFinite(value) ? movePoint(state.points[state.point].time, value) : show();
    });
$("envelope-name").onchange = () => attempt(() => edit(`rename ${state.address} ${word($("envelope-name").value)}`));
$("envelope").onchange = () => attempt(() => openEnvelope($("envelope").value));
/** Behind the chosen point: halfway to the next one, or a second later. */
const addNext = () => {
    const { points, point } = state;
    const [now, next] = [points[point]?.time ?? -1000, points[point + 1]?.time];
    return attempt(() => insert(next === undefined ? now + 1000 : (now + next) / 2));
};
$("point-add").onclick = addNext;
$("point-remove").onclick = () => attempt(removePoint);
$("envelope-close").onclick = () => {
    state.address = "";
    $("envelope-panel").hidden = true;
    repaint();
};
for (const type of Object.keys(CHANNELS)) $(`envelope-new-${type}`).onclick = () => session.map && newEnvelope(type);
$("envelope-open").onclick = () => {
    const first = objectsOf("envelope")[0];
    if (first) attempt(() => openEnvelope(first.address));
    else say("The map has no envelopes: add one.");
};

// ------------------------------------------------------------------------------------------------- pointer, keys

function hit({ offsetX, offsetY }) {
    const { points, channel } = state;
    const far = (time, value) => Math.hypot(xOf(time) - offsetX, yOf(value) - offsetY);
    const one = points[state.point];
    for (const [dx, dy, side] of tangents(points))
        if (far(one.time + dx, one.values[channel] + dy) < NEAR / 2 && (dx || dy)) return { what: side };
    let [best, found] = [NEAR, -1];
    points.forEach(({ time, values }, i) => {
        const distance = far(time, values[channel]);
        if (distance < best) [best, found] = [distance, i];
    });
    if (found >= 0) return { what: "point", point: found };
    const [side] = one && far(one.time, one.values[channel]) < NEAR ? tangents(points) : [];
    return side ? { what: side[2] } : null;
}

canvas.onpointerdown = (event) => {
    if (event.button !== 0 || !state.address) return;
    canvas.setPointerCapture(event.pointerId);
    canvas.focus();
    if (event.offsetY < RULER) {
        stroke = { what: "time" };
        setTime(event);
        return;
    }
    const [time, value] = snapped(timeOf(event.offsetX), valueOf(event.offsetY));
    if (event.shiftKey) return void attempt(() => insert(time, value));
    const found = hit(event);
    // Alt and a drag pull a handle out of its point
    if (found?.what === "point" && event.altKey) {
        state.point = found.point;
        const side = tangents(state.points).at(-1)?.[2];
        stroke = side ? { what: side, time, value, moved: false } : null;
    } else if (found) {
        if (found.what === "point") state.point = found.point;
        const one = state.points[state.point];
        stroke = { what: found.what, time: one.time, value: one.values[state.channel], moved: false };
    }
    show();
};
canvas.onpointermove = (event) => {
    if (!stroke) return;
    if (stroke.what === "time") return setTime(event);
    const [time, value] = snapped(timeOf(event.offsetX), valueOf(event.offsetY));
    if (!stroke.moved && !event.movementX && !event.movementY) return;
    const at = stroke.what === "point" ? between(state.point, time) : time;
    Object.assign(stroke, { time: at, value, moved: true });
    draw();
};
canvas.onpointerup = () => {
    const done = stroke;
    stroke = null;
    if (!done?.moved) return;
    attempt(() => (done.what === "point" ? movePoint(done.time, done.value) : moveTangent(done.what, done.time, done.value)));
};
canvas.onpointercancel = () => {
    stroke = null;
    draw();
};
canvas.ondblclick = (event) => {
    if (hit(event) || event.offsetY < RULER) return;
    attempt(() => insert(...snapped(timeOf(event.offsetX), valueOf(event.offsetY))));
};
canvas.addEventListener(
    "wheel",
    (event) => {
        event.preventDefault();
        state.zoom = Math.max(0.1, Math.min(100, state.zoom * 2 ** (-event.deltaY / 300)));
        frame = newFrame();
        show();
    },
    { passive: false },
);

/** The picture shows the map at the time under the pointer. */
function setTime(event) {
    $("time").value = Math.max(0, Math.round(timeOf(event.offsetX)));
    $("time").dispatchEvent(new Event("change"));
}

canvas.onkeydown = (event) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const one = state.points[state.point];
    if (ctrlKey || metaKey || altKey || !state.address) return;
    const [dt, dv] = steps();
    const curve = Object.keys(CURVES).find((name) => CURVES[name] === key.toLowerCase());
    const move = (time, value) => () => movePoint(one.time + time, one.values[state.channel] + value);
    const does = {
        ",": () => choosePoint(state.point - 1),
        ".": () => choosePoint(state.point + 1),
        Insert: addNext,
        Delete: removePoint,
        ...(one && { ArrowLeft: move(-dt, 0), ArrowRight: move(dt, 0), ArrowUp: move(0, dv), ArrowDown: move(0, -dv) }),
        ...(one && curve && { [key]: () => set(`curve=${curve}`) }),
    }[key];
    if (!does) return;
    event.preventDefault();
    event.stopPropagation();
    attempt(async () => does());
};

// ------------------------------------------------------------------------------------------------- on the map

addPainter((over) => {
    const { type, points, users, address } = state;
    if (!address || type !== "position" || points.length < 2) return;
    const last = points.at(-1).time;
    const shifts = Array.from({ length: SAMPLES + 1 }, (_, i) =>
        [0, 1].map((channel) => valueAt(points, channel, (last * i) / SAMPLES) / PX),
    );
    over.strokeStyle = "#facc15";
    over.lineWidth = 2;
    for (const { group, pivots } of users)
        for (const [x, y] of pivots) {
            over.beginPath();
            for (const [dx, dy] of shifts) over.lineTo(...pixelsOf(group, x + dx, y + dy));
            over.stroke();
        }
});

const readAnew = () => void attend($("channels"), read);
on("opened", readAnew);
on("changed", readAnew);
on("moved", draw);
new ResizeObserver(draw).observe(canvas);
