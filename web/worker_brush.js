// SPDX-License-Identifier: Zlib
// In the worker: brushes. A brush is { width, height, layers: [{ address, kind, bytes, cells, texts, plain, pools
// }] }: tiles as the file has them, and for each which of the texts writes it (docs/patterns.md), plain: in layers
// of the design, and the pool of its number.
import { Map } from "./teemap.js";
import { layersChangedSince, opened, opening, settingsOf } from "./worker_map.js";

const MOST = 1024; // pixels of a side of a picture
const WRITTEN = { flags: "flags", delay: "delay", force: "force", maxSpeed: "max", angle: "angle" };
const VALUES = {
    tele: { number: 0 },
    tune: { number: 0 },
    switch: { number: 0, delay: 3 },
    speedup: { force: 0, max: 1 },
};
const INDEX = { tele: 1, tune: 1, switch: 1, speedup: 2 }; // bytes before that of the kind of tile
const indexAt = (kind) => INDEX[kind] ?? 0;
const FREE = ["tele", "checkpoint", "tune"]; // pools in which 0 is no number
const NUMBERED = ["tele", "switch", "tune"]; // layers
let counted = { version: 0, pools: null }; // what numbers() told last, of which version of the map

/** A tile as the text that writes it. */
function textOf(tile, info) {
    const index = tile.index ?? tile.type;
    if (!index) return "air";
    const more = Object.entries(WRITTEN)
        .filter(([field]) => tile[field])
        .map(([field, word]) => `${word}=${tile[field]}`);
    return [info?.id ?? index, ...(info?.pool || (!info && tile.number) ? [tile.number] : []), ...more].join(":");
}

/** The texts of the tiles of a layer, each once, and which of them each tile has. */
function described(map, layer, kind, bytes, width, height) {
    const infos = map.tileInfos(layer);
    const { tiles } = layer;
    const size = sizeOf(kind);
    const cells = new Uint16Array(width * height);
    const [texts, plain, pools, known] = [[], [], [], new globalThis.Map()];
    for (let i = 0; i < cells.length; i++) {
        const key = bytes.subarray(i * size, (i + 1) * size).join();
        if (!known.has(key)) {
            known.set(key, texts.length);
            const tile = tiles.at(i % width, Math.floor(i / width));
            const info = infos?.[tile.index ?? tile.type] ?? null;
            pools.push(info?.pool ?? null);
            texts.push(textOf(tile, info));
            plain.push(textOf({ index: tile.index ?? tile.type, flags: tile.flags }, null));
        }
        cells[i] = known.get(key);
    }
    return { kind, bytes, cells, texts, plain, pools };
}

const LEAST = 2; // tiles of a side of a layer
const sidesOf = (...sides) => sides.map((side) => Math.max(LEAST, side));
const sizeOf = (kind) => ({ tele: 2, tune: 2, speedup: 6 })[kind] ?? 4;

/** A rectangle of tiles in a larger one. */
function within(bytes, size, [wide], [x, y, width, height]) {
    const part = new Uint8Array(width * height * size);
    for (let row = 0; row < height; row++)
        part.set(
            bytes.subarray(((y + row) * wide + x) * size, ((y + row) * wide + x + width) * size),
            row * width * size,
        );
    return part;
}

function fill(tiles, bytes, [width, height]) {
    const { width: wide } = tiles;
    const grid = tiles.edit();
    const size = bytes.length / (width * height);
    for (let row = 0; row < height; row++)
        grid.set(bytes.subarray(row * width * size, (row + 1) * width * size), row * wide * size);
}

/**
 * A map of nothing but such layers, which are not smaller than layers are; work(map, addresses) gets it. bytes:
 * what is in them, each.
 */
async function withLayers(width, height, kinds, bytes, work) {
    const [wide, high] = sidesOf(width, height);
    const map = await Map.create(wide, high, opened().game);
    try {
        const others = kinds.filter((kind) => kind !== "game");
        if (others.length) map.edit.run(others.map((kind) => `add layer 0 ${kind} ${wide}x${high}`).join("\n"));
        let next = 1;
        const addresses = kinds.map((kind) => (kind === "game" ? "0/0" : `0/${next++}`));
        addresses.forEach((address, i) => {
            if (bytes[i]) fill(map.at(address).tiles, bytes[i], [width, height]);
        });
        return work(map, addresses);
    } finally {
        map.free();
    }
}

/** A brush of bytes of layers. */
const made = (width, height, layers) =>
    withLayers(
        width,
        height,
        layers.map(({ kind }) => kind),
        layers.map(({ bytes }) => bytes),
        (map, addresses) => ({
            width,
            height,
            layers: layers.map(({ address, kind, bytes }, i) => ({
                address,
                ...described(map, map.at(addresses[i]), kind, bytes, width, height),
            })),
        }),
    );

/** The bytes of an area of a layer; what lies outside is air. */
function bytesAt(layer, [x, y, width, height]) {
    const { tiles } = layer;
    const { width: columns, height: rows } = tiles;
    const grid = tiles.array; // it dies with the next call into the module
    const size = sizeOf(layer.kind);
    const bytes = new Uint8Array(width * height * size);
    for (let row = Math.max(0, -y); row < height && y + row < rows; row++) {
        const [first, end] = [Math.max(0, x), Math.min(columns, x + width)];
        const from = ((y + row) * columns + first) * size;
        if (end > first) bytes.set(grid.subarray(from, from + (end - first) * size), (row * width + first - x) * size);
    }
    return bytes;
}

/**
 * Gives the tiles that have numbers, delays, forces those that are chosen. pools: numbers by pool. all: also those
 * that have numbers.
 */
function dress({ kind, bytes }, infos, { pools = {}, ...values }, all) {
    const places = VALUES[kind];
    if (!places) return;
    const size = sizeOf(kind);
    for (let at = 0; at < bytes.length; at += size) {
        const info = infos?.[bytes[at + indexAt(kind)]];
        if (!info) continue;
        const number = pools[info.pool];
        if (info.pool && number !== undefined && (all || (bytes[at] === 0 && FREE.includes(info.pool))))
            bytes[at] = number;
        if (!all) continue;
        if (info.delays && values.delay !== undefined) bytes[at + places.delay] = values.delay;
        if (kind !== "speedup") continue;
        const angle = (((values.angle ?? 0) % 360) + 360) % 360;
        bytes.set([values.force ?? 0, values.max ?? 0], at);
        bytes.set([angle & 255, angle >> 8], at + 4);
    }
}

/** Draws one layer of a brush. */
async function drawLayer({ address, kind, bytes }, { width, height }, side) {
    const draw = (map, options) => {
        const renderer = map.renderer(options);
        try {
            const { data, ...size } = renderer.picture(width * side, height * side, { region: [0, 0, width, height] });
            return createImageBitmap(new ImageData(data, size.width, size.height));
        } finally {
            renderer.free();
        }
    };
    if (kind !== "tiles")
        return withLayers(width, height, [kind], [bytes], (map) => draw(map, { layers: "-design", entities: kind }));
    const map = opened().copy();
    try {
        const group = map.groups.length;
        const { image, color } = map.at(address);
        map.edit.run(
            [
                `add group`,
                `add layer ${group} tiles ${sidesOf(width, height).join("x")}`,
                ...(image ? [`set ${group}/0.image=${image.address}`] : []),
            ].join("\n"),
        );
        const layer = map.at(`${group}/0`);
        layer.color = color;
        fill(layer.tiles, bytes, [width, height]);
        return draw(map, { layers: `${group}/0` });
    } finally {
        map.free();
    }
}

export const brushWork = {
    /** The tiles of an area, of one or several layers. */
    grab: ({ layers, area }) =>
        made(
            area[2],
            area[3],
            layers.map((address) => {
                const layer = opened().at(address);
                return { address, kind: layer.kind, bytes: bytesAt(layer, area) };
            }),
        ),

    /** A block of the 256 tiles of a layer: area of the picture of 16 x 16. What does nothing there is left out. */
    async pickTiles({ layer, area: [x, y, width, height], values }) {
        const { kind } = opened().at(layer);
        const infos = opened().tileInfos(opened().at(layer));
        const size = sizeOf(kind);
        const bytes = new Uint8Array(width * height * size);
        for (let i = 0; i < width * height; i++) {
            const index = (y + Math.floor(i / width)) * 16 + x + (i % width);
            if (!infos || infos[index]) bytes[i * size + indexAt(kind)] = index;
        }
        dress({ kind, bytes }, infos, values, true);
        return made(width, height, [{ address: layer, kind, bytes }]);
    },

    /** One tile as it is typed. Numbers that it needs and has not are those that are chosen. */
    async typeTile({ layer, text, values }) {
        const target = opened().at(layer);
        const bytes = await withLayers(1, 1, [target.kind], [], (map, [address]) => {
            const fill = (tile) => map.edit.fill({ layers: address, tile });
            try {
                fill(text);
            } catch (error) {
                const info = opened()
                    .tileInfos(target)
                    ?.find((one) => one?.id === text);
                if (!info?.pool) throw error;
                fill(`${text}:${values.pools?.[info.pool] ?? 1}`);
            }
            return map.at(address).tiles.array.slice(0, sizeOf(target.kind));
        });
        dress({ kind: target.kind, bytes }, opened().tileInfos(target), values, false);
        return made(1, 1, [{ address: layer, kind: target.kind, bytes }]);
    },

    /** The same tiles with the numbers, delays and forces that are chosen. */
    dressBrush({ brush: { width, height, layers }, values }) {
        for (const layer of layers) dress(layer, opened().tileInfos(opened().at(layer.address)), values, true);
        return made(width, height, layers);
    },

    /** The brush turned or mirrored, as the operation does it: "rotate 90", "mirror x". */
    async turnBrush({ brush: { width, height, layers }, operation }) {
        const turned = await withLayers(
            width,
            height,
            layers.map(({ kind }) => kind),
            layers.map(({ bytes }) => bytes),
            (map, addresses) => {
                map.edit.run(operation);
                return addresses.map((address) => {
                    const { tiles } = map.at(address);
                    return { bytes: tiles.array.slice(), sides: [tiles.width, tiles.height] };
                });
            },
        );
        const [wide, high] = sidesOf(width, height);
        const [area] = {
            // where the brush is now in what was made larger
            "mirror x": [[wide - width, 0, width, height]],
            "mirror y": [[0, high - height, width, height]],
            "rotate 90": [[high - height, 0, height, width]],
            "rotate 270": [[0, wide - width, height, width]],
        }[operation];
        return made(
            area[2],
            area[3],
            layers.map(({ address, kind }, i) => ({
                address,
                kind,
                bytes: within(turned[i].bytes, sizeOf(kind), turned[i].sides, area),
            })),
        );
    },

    /** What the brush looks like. */
    async drawBrush({ width, height, layers }) {
        const side = Math.max(1, Math.min(32, Math.floor(MOST / Math.max(width, height))));
        const canvas = new OffscreenCanvas(width * side, height * side);
        const pen = canvas.getContext("2d");
        for (const layer of layers) {
            const picture = await drawLayer(layer, { width, height }, side);
            pen.drawImage(picture, 0, 0);
            picture.close();
        }
        return { picture: canvas.transferToImageBitmap() };
    },

    /** The tiles of a layer that are like the one of a place and hang together with it: their numbers, row by row. */
    flood({ address, place: [x, y] }) {
        const { kind, tiles } = opened().at(address);
        const { width, height } = tiles;
        const size = sizeOf(kind);
        const grid = tiles.array;
        const begin = y * width + x;
        const same = (at) => {
            for (let i = 0; i < size; i++) if (grid[at * size + i] !== grid[begin * size + i]) return false;
            return true;
        };
        const seen = new Uint8Array(width * height);
        const found = [begin];
        seen[begin] = 1;
        const visit = (at) => {
            if (seen[at] || !same(at)) return;
            seen[at] = 1;
            found.push(at);
        };
        for (let i = 0; i < found.length; i++) {
            const at = found[i];
            if (at % width > 0) visit(at - 1);
            if (at % width < width - 1) visit(at + 1);
            if (at >= width) visit(at - width);
            if (at < width * (height - 1)) visit(at + width);
        }
        return Int32Array.from(found);
    },

    /** Numbers that tiles have, by pool, the next free one of each, 0: none, and the least: { tele: { used, next, least } }. */
    numbers() {
        const changed = counted.pools && layersChangedSince(counted.version); // each step asks
        const isNumbered = (address) => NUMBERED.includes(opened().at(address).kind);
        if (changed && ![...changed].some(isNumbered)) return counted.pools;
        const used = { tele: new Set(), checkpoint: new Set(), switch: new Set(), tune: new Set() };
        for (const layer of opened().layers) {
            if (!NUMBERED.includes(layer.kind)) continue;
            const infos = opened().tileInfos(layer);
            const bytes = layer.tiles.array.slice();
            const size = sizeOf(layer.kind);
            for (let at = 0; at < bytes.length; at += size) used[infos[bytes[at + 1]]?.pool]?.add(bytes[at]);
        }
        for (const line of settingsOf(opened())) {
            const [, word, number] = /^\s*(tune_zone|switch_open)\w*\s+(\d+)/.exec(line) ?? [];
            if (word) used[word === "tune_zone" ? "tune" : "switch"].add(Number(number));
        }
        const pools = Object.fromEntries(
            Object.entries(used).map(([pool, numbers]) => {
                let next = 1;
                while (numbers.has(next)) next++;
                if (next > 255) next = 0;
                return [pool, { used: [...numbers].sort((a, b) => a - b), next, least: FREE.includes(pool) ? 1 : 0 }];
            }),
        );
        counted = { version: opening(), pools };
        return pools;
    },
};
