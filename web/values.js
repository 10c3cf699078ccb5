// SPDX-License-Identifier: Zlib
// What tiles of physics have besides their kind: number, delay, force, angle. Each pool of numbers begins with the
// next free one.
import { $, attempt, attend, say } from "./elements.js";
import { ask, on, perMap, session } from "./session.js";
import { layerKind } from "./chosen.js";
import { tour } from "./look.js";
import { edit, word } from "./steps.js";

const FIRST = { tele: "tele", switch: "switch", tune: "tune" }; // the pool of a kind of layer
const FIELDS = ["number", "delay", "force", "max", "angle"];
const KINDS = { tele: ["number"], tune: ["number"], switch: ["number", "delay"], speedup: ["force", "max", "angle"] };
// chosen, free, least: numbers by pool
const state = perMap(() => ({ chosen: {}, free: {}, least: {}, pool: "tele", delay: 0, force: 50, max: 0, angle: 0 }));
let places = null; // of a number: { words, next() }

const numberOf = (pool) => state.chosen[pool] ?? (state.free[pool] || 1);
const noneFree = (pool) => `All numbers of the pool '${pool}' are in use: none is free.`;

export const values = {
    onChange: () => {},
    /** What tiles that are taken get. */
    now: () => ({
        pools: Object.fromEntries(Object.keys(state.free).map((pool) => [pool, numberOf(pool)])),
        delay: state.delay,
        force: state.force,
        max: state.max,
        angle: state.angle,
    }),
    /** Shows the values of the layer's kind; of a brush, the pool of its numbers. */
    show(brush) {
        const kind = layerKind();
        const alike = brush?.layers.filter((one) => one.kind === kind) ?? [];
        state.pool = alike.flatMap(({ pools }) => pools).find(Boolean) ?? FIRST[kind] ?? "tele";
        for (const name of FIELDS) $(`${name}-label`).hidden = !KINDS[kind]?.includes(name);
        $("zone-label").hidden = kind !== "tune";
        $("next-number").textContent = state.free[state.pool] === 0 ? "None free" : "Next free";
        $("next-number").hidden = $("find-number").hidden = !KINDS[kind]?.includes("number");
        for (const name of FIELDS)
            if (document.activeElement !== $(name))
                $(name).value = name === "number" ? numberOf(state.pool) : state[name];
    },
};

const read = () =>
    attend($("number-label"), async () => {
        const pools = Object.entries(await ask("numbers"));
        state.free = Object.fromEntries(pools.map(([pool, { next }]) => [pool, next]));
        state.least = Object.fromEntries(pools.map(([pool, { least }]) => [pool, least]));
        if (document.activeElement !== $("number")) $("number").value = numberOf(state.pool);
        $("next-number").textContent = state.free[state.pool] === 0 ? "None free" : "Next free";
    });

function changed(name, most) {
    const least = name === "number" ? (state.least[state.pool] ?? 1) : 0;
    const given = Math.round(Number($(name).value));
    const value = Math.max(least, Math.min(most, Number.isFinite(given) ? given : least));
    if (name === "number") state.chosen[state.pool] = value;
    else state[name] = value;
    $(name).value = value;
    values.onChange();
}
for (const [name, most] of [
    ["number", 255],
    ["delay", 255],
    ["force", 255],
    ["max", 255],
    ["angle", 359],
]) {
    $(name).onchange = () => changed(name, most);
    $(name).onfocus = () => $(name).select();
}

/** The next free number is taken from now on. */
export const takeNextNumber = () =>
    attempt(async () => {
        await read();
        if (!state.free[state.pool]) return say(noneFree(state.pool));
        state.chosen[state.pool] = state.free[state.pool];
        $("number").value = numberOf(state.pool);
        values.onChange();
        return say(`The next free number is ${numberOf(state.pool)}.`);
    });

$("next-number").onclick = takeNextNumber;
$("find-number").onclick = () =>
    attempt(async () => {
        const words = `${layerKind()}/number=${numberOf(state.pool)}`;
        if (places?.words !== words) {
            const found = (await ask("find", words)).filter(({ width }) => width);
            places = found.length ? { words, next: tour(found) } : null;
        }
        if (places) places.next();
        else say(`No tile of the layer has the number ${numberOf(state.pool)}.`);
    });

/** A number that tiles were written with stays, though it is not free any more. */
export function keepNumbers(brush) {
    for (const pool of new Set(brush.layers.flatMap(({ pools }) => pools).filter(Boolean)))
        state.chosen[pool] ??= numberOf(pool);
}

/** A setting of the zone whose number is chosen takes the place of the one that it has. */
$("zone").onchange = () =>
    attempt(async () => {
        const text = $("zone").value.trim().replace(/^tune_zone\s+\d+\s+/, "");
        if (!text || !session.map) return;
        const begin = `tune_zone ${numberOf("tune")} `;
        const name = `${begin}${text.split(/\s+/)[0]} `;
        const before = (await ask("settings")).find((line) => line.startsWith(name) && !line.includes("*"));
        const line = word(begin + text);
        const done = await edit(before ? `settings replace ${word(before)} ${line}` : `settings add ${line}`);
        if (done) $("zone").value = "";
    });

on("opened", () => {
    $("zone").value = "";
    places = null;
    read().then(() => values.show(null));
});
on("changed", () => {
    places = null;
    read();
});
