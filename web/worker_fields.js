// SPDX-License-Identifier: Zlib
// In the worker: the fields of objects, for the panel of properties, and what a new map begins with.
import { Map } from "./teemap.js";
import { opened, settingsOf } from "./worker_map.js";

const LISTS = { quads: "quads", sounds: "sources", "old-sounds": "sources" };
const FIXED = 1024; // of a fixed-point number
const WALL = 1; // tiles
const SPAWNS = 5;

/** The width of a circle is its radius, in px as they are. */
function asCircle(rows) {
    const named = Object.fromEntries(rows.map((row) => [row.name, row]));
    if (named.shape?.value !== "circle" || !named.width) return;
    Object.assign(named.width, { name: "radius", type: "int", help: "of the circle", unit: "px" });
    named.width.value = String(Math.round(Number(named.width.value) * FIXED));
    named.width.max = Math.round(named.width.max * FIXED);
    rows.splice(rows.indexOf(named.height), 1);
}

export const fieldWork = {
    /**
     * The fields that objects have in common, with the values of the first one; mixed: others have others. element:
     * { list, index } of the first one.
     */
    fields({ addresses, element }) {
        const [first, ...others] = addresses.map((address) => opened().fields(address, element ?? undefined));
        const named = others.map((rows) => Object.fromEntries(rows.map((row) => [row.name, row])));
        const rows = first
            .filter(({ name, type }) => named.every((by) => by[name]?.type === type))
            .map((row) => ({ ...row, mixed: named.some((by) => by[row.name].value !== row.value) }));
        if (element?.list === "sources") asCircle(rows);
        const object = opened().at(addresses[0]);
        const list =
            addresses.length > 1
                ? null
                : (LISTS[object.kind] ?? (addresses[0].startsWith("envelope/") ? "points" : null));
        return { rows, list, count: list ? object[list].length : 0 };
    },

    settings: () => settingsOf(opened()),

    /** The file of a new map: a closed room with places to begin at. */
    async newMap({ width, height, game }) {
        const map = await Map.create(width, height, game);
        try {
            const [wide, high] = [width - 2 * WALL, height - 2 * WALL];
            const spawns = Array.from({ length: SPAWNS }, (_, i) => WALL + Math.floor((wide * (i + 1)) / (SPAWNS + 1)));
            map.edit.run(
                [
                    "fill 0/0 solid",
                    `fill 0/0@${WALL},${WALL}+${wide}x${high} air`,
                    ...[...new Set(spawns)].map((x) => `fill 0/0@${x},${height - WALL - 1}+1x1 spawn`),
                ].join("\n"),
            );
            return map.save();
        } finally {
            map.free();
        }
    },
};
