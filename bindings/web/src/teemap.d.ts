// SPDX-License-Identifier: Zlib
// What TypeScript knows. Interfaces of fields and operations follow below, made of the library's tables by make_modules.py.

/** An error of the library. */
export class TeemapError extends Error {
    /** "damaged", "usage", "limit", "not found", "timeout", "cancelled", ...; "crash": the module crashed, and maps must be loaded again. */
    code: string;
    /** On which side: "input", "output", "usage" or "none". */
    side: string;
    /** The object: "group 2, layer 3 'Freeze'". */
    place: string;
    /** The byte in the input. */
    offset: number | null;
    /** The text without place and offset. */
    reason: string;
}

/** What a call may take. What ends early throws a TeemapError, and leaves maps as they were (docs/web.md, "Limits"). */
export interface Limits {
    /** Seconds; then the error has the code "timeout". */
    timeout?: number;
    /**
     * Ends the work with the code "cancelled". An AbortSignal only changes between turns of the event loop, so it ends calls before they begin;
     * during a call, any object whose `aborted` becomes true, or an Int32Array over a SharedArrayBuffer whose first number another thread sets.
     */
    signal?: AbortSignal | { readonly aborted: boolean } | Int32Array;
    /** Is called at the begin, at the end, and about ten times a second meanwhile. False ends the work ("cancelled"), and so does what it throws. */
    progress?: (done: number, total: number) => unknown;
}

/** Loads the module, once; maps do so themselves. source: its address, bytes or compiled module, if it does not lie beside. */
export function init(source?: string | URL | Response | BufferSource | WebAssembly.Module): Promise<unknown>;
/** Frees the module's memory. Existing maps, patches and renderers cannot be used afterwards. */
export function reset(): void;
/** Bytes of the module's memory. It grows, and never shrinks but by reset(). */
export function memorySize(): number;
/** The version of the library. */
export function version(): Promise<string>;

/** A picture as ImageData has it: red, green, blue, alpha. */
export interface Picture { data: Uint8ClampedArray; width: number; height: number }
/** The bytes of a file. */
export type Bytes = Uint8Array | ArrayBuffer | Blob | Response;
/** Reads a PNG. */
export function readPng(source: Bytes): Promise<Picture>;
/** Writes a picture as PNG. */
export function writePng(picture: { data: Uint8ClampedArray | Uint8Array; width: number; height: number }): Promise<Uint8Array>;

type Found = Picture | Bytes | null | undefined;
/** Pictures of external images: by name, or a function that is asked for each name. Bytes are those of a PNG. */
export type Images = Record<string, Found> | ((name: string, game: string) => Found | Promise<Found>);
/** Rules of automappers, by the name of the image. */
export type Rules = Record<string, string | Uint8Array> | ((image: string) => string | Uint8Array | null | undefined);

/** A finding about a map (docs/findings.md), as in the JSON of teemap check. */
export interface Finding {
    id: string;
    severity: "note" | "warning" | "error";
    /** The game refuses the map because of it. */
    refused: boolean;
    /** Of the object: "2/3", "image/0"; "" the whole map. */
    address: string;
    place: string;
    offset: number | null;
    count: number;
    text: string;
}
/** A rectangle of tiles, and how many in it are meant. */
export interface Place { x: number; y: number; width: number; height: number; count: number }
interface RuleWords { title: string; why: string; how: string; guess: boolean }
/** A problem to fix before a release. `fix`: the operation that fixes it, for edit.run. */
export interface LintFinding extends Finding, RuleWords { places: Place[]; objects: string[]; fix: string | null }
export interface Lint { rules: string[]; findings: LintFinding[]; ignored: (Finding & RuleWords)[] }
/** One thing that was done to a map. */
export interface Change { operation: string; text: string; address: string; place: string; count: number; lost: string | null }
/** What was done, and what could not be done. */
export interface Report { changes: Change[]; findings: Finding[] }
export interface Match {
    pattern: string; address: string; x: number; y: number; width: number; height: number; count: number;
    text: string; field: string; index: number;
}
export interface TileAt {
    address: string; kind: string; index: number; id: string | null; title: string | null;
    flags?: number; number?: number; type?: number; delay?: number; force?: number; maxSpeed?: number; angle?: number;
}
export interface TileInfo { id: string; title: string; pool: "tele" | "checkpoint" | "switch" | "tune" | null; delays: boolean }
export interface FieldRow {
    name: string; help: string; unit: string; type: string; refers: string; choices: string[]; min?: number; max?: number; value: string; read: boolean;
}
export interface Share { kind: string; address: string; packed: number; unpacked: number }
export interface Difference {
    kind: "added" | "removed" | "moved" | "field" | "setting" | "element" | "tiles" | "pixels" | "data";
    text: string; before: string | null; after: string | null; name: string; field: string | null; count: number;
    regions: Place[]; shift: [number, number];
}
export interface Conflict { kind: string; text: string; resolution: "unresolved" | "ours" | "theirs" | "both"; open: boolean; name: string; address: string | null;
    /** Where the object is in each of the three. */
    base: string | null; ours: string | null; theirs: string | null; regions: Place[]; shift: [number, number] }
export interface Merge { map: Map; conflicts: Conflict[]; report: Report }
export interface View { kind: string; x: number; y: number; zoom: number; score: number; variety: number; lively: number; coverage: number }

/** Tiles, quads, points or sources, in the memory of the module. */
export class Elements<Value, View extends Uint8Array | Int32Array> {
    readonly length: number;
    /** All of it as an array over the memory, fields as they are stored. It dies with the next call into the module. */
    readonly array: View;
    /** The same for writing: the map counts as changed. */
    edit(): View;
    get(index: number): Value;
    set(index: number, values: Partial<Value>): void;
    [Symbol.iterator](): Iterator<Value>;
}
/** Tiles of a layer, row by row. */
export class Tiles<Value> extends Elements<Value, Uint8Array> {
    readonly width: number;
    readonly height: number;
    at(x: number, y: number): Value;
    put(x: number, y: number, values: Partial<Value>): void;
}
export type AnyTile = TileValue | TeleTileValue | SpeedupTileValue | SwitchTileValue | TuneTileValue;

interface Placed {
    readonly map: Map;
    readonly index: number;
    readonly address: string;
    /** The names of texts that the file has and that are too long or too damaged to be read: they are undefined, saved as they are, and cannot be set. */
    readonly unread: string[];
    /** Removes these texts, so that they can be set. */
    dropUnread(): void;
    toJSON(): Record<string, unknown>;
}
export interface Image extends ImageFields, Placed {
    /** The embedded pixels as they are, 4 or 3 bytes each: a view that dies with the next call into the module. */
    readonly pixels: Uint8ClampedArray | null;
    /** A copy of the pixels, for ImageData. Null for an external image. */
    rgba(): Picture | null;
    /** Embeds pixels; null makes the image external. */
    setPixels(picture: { data: Uint8ClampedArray | Uint8Array; width: number; height: number } | null): void;
}
export interface Sound extends SoundFields, Placed {
    /** The Opus file: a view that dies with the next call into the module. */
    readonly data: Uint8Array | null;
    /** Embeds an Opus file; null makes the sound external. */
    setData(opus: Uint8Array | null): void;
}
export interface Envelope extends EnvelopeFields, Placed { readonly points: Elements<EnvelopePointValue, Int32Array> }
export interface Group extends GroupFields, Placed { readonly layers: Layer[] }
export interface Info extends InfoFields { readonly map: Map; readonly address: string; readonly unread: string[]; dropUnread(): void; toJSON(): Record<string, unknown> }
interface AnyLayer extends LayerFields, Placed { readonly group: Group }
export interface TileLayer extends AnyLayer, TileLayerFields { readonly tiles: Tiles<Partial<TileValue & TeleTileValue & SpeedupTileValue & SwitchTileValue>> }
export interface QuadLayer extends AnyLayer, QuadLayerFields { readonly quads: Elements<QuadValue, Int32Array> }
export interface SoundLayer extends AnyLayer, SoundLayerFields { readonly sources: Elements<SoundSourceValue | OldSourceValue, Int32Array> }
export type Layer = TileLayer | QuadLayer | SoundLayer;
/** An object, or its address in words: "image/grass_main", "2/3", "Game/Front". */
export type Address = string | number | { readonly address: string };

export interface Drawn {
    /** Which layers, in words (docs/addresses.md); else the design. */
    layers?: string;
    /** true, or which physics layers are drawn as entities. */
    entities?: boolean | string;
    /** What is drawn in place of missing images. */
    missing?: "client" | "none" | "white";
    detail?: boolean;
    numbers?: boolean;
    look?: "map" | "ddnet" | "teeworlds07";
    /** Bytes of prepared images and layers. */
    memory?: number;
    /** Work that one picture may do. */
    pixelLimit?: number;
    /** Keep the pixels of images, for `update`. */
    updates?: boolean;
}
export interface Camera {
    /** The view of a player: [x, y] or [x, y, zoom] in tiles, or words: "best", "finish", "tele:5", "Game/Deco" (docs/pictures.md). */
    view?: string | readonly number[];
    /** [x, y, width, height] in tiles. */
    region?: readonly number[];
    /** The part of the map where something is. */
    fit?: boolean;
    zoom?: number;
    /** Pixels of a tile, of whole maps and regions. */
    scale?: number;
    /** Without parallax. */
    flat?: boolean;
    /** In ms. */
    time?: number;
    /** Red, green, blue, alpha. */
    background?: readonly number[];
}
type Target = { data: Uint8ClampedArray | Uint8Array; width: number; height: number };

/** A map prepared for drawing. Later changes to the map do not show. */
export class Renderer {
    constructor(map: Map, options?: Drawn & Limits);
    /** Images that were not found, layers that are damaged. */
    readonly findings: Finding[];
    /** How opaque each layer is, in the order of the file; null: the design alone. */
    opacities: number[] | null;
    /** Draws at the top left of the target; returns how large the picture became, of whole maps and regions. */
    draw(target: Target, options?: Camera & Limits): { width: number; height: number };
    /** Takes the tiles of a layer, given by its address, from a map that differs only in tiles. */
    update(map: Map, address: string): void;
    /** The same as a picture of its own. */
    picture(width: number, height: number, options?: Camera & Limits & { rows?: readonly [first: number, num: number] }): Picture;
    /** The views of the map that show most, the best one first. */
    best(num?: number, width?: number, height?: number, time?: number, limits?: Limits): View[];
    /** What a view as a text means: "10,20", "spawn", "tele:5", an address, "best". */
    find(view: string, width?: number, height?: number, time?: number, limits?: Limits): View;
    /** The pixel at which a group shows a point of the world (in tiles), in a picture of this size. */
    toPicture(group: number, point: readonly number[], width: number, height: number, options?: Camera): [number, number];
    /** The point of the world that a group shows at a pixel. */
    fromPicture(group: number, point: readonly number[], width: number, height: number, options?: Camera): [number, number];
    /** Gives the memory back. */
    free(): void;
}

export interface EditInputs {
    /** Files and maps that operations name. */
    files?: Record<string, string | Uint8Array | Map>;
    rules?: Rules;
    /** The seed to use for automappers whose seed is 0. */
    draw?: number;
}
/** Operations on a map. Each is done as a whole or not at all. */
export interface Editor extends Operations {
    using(options: EditInputs & Limits): Editor;
    /** Runs operations as text, one a line. $NAME stands for the variable of this name. All or none. */
    run(script: string, variables?: Record<string, string | number>): Report;
}
/** An argument. choices: words of which it is one, if there are any; help: how it is written. */
interface OperationArgument { name: string; kind: string; optional: boolean; repeats: boolean; choices: string[]; help: string }
/** The operations by their names in JavaScript, to make forms of. */
export const operations: Record<string, { name: string; arguments: OperationArgument[] }>;
/** The help of an operation: what it does, an example, and what its words mean. */
export function operationHelp(name: keyof Operations): Promise<{ help: string; example: string; more: string }>;
/** An operation with its arguments as a line for edit.run; with `shell` as words behind `teemap edit`. */
export function operationLine<Name extends keyof Operations>(name: Name, given?: Parameters<Operations[Name]>[0], options?: { shell?: boolean }): string;

export class Map {
    /**
     * Loads a map. path: a name for lint and facts; memory: bytes that its data may take unpacked, by default 256 MiB and 400 for each byte of the
     * file; the limits are those of every later call on the map, too.
     */
    static load(source: Bytes, options?: { images?: Images; mode?: "game" | "strict" | "salvage"; path?: string; memory?: number | null } & Limits): Promise<Map>;
    /** A map with a game layer of this size, in tiles; without a size an empty one. */
    static create(width?: number, height?: number, game?: "ddnet" | "teeworlds06" | "teeworlds07"): Promise<Map>;
    path: string;
    /** Those of each call on the map that gives no other ones. */
    limits: Limits;
    fileSize: number;
    /** Findings about the file. */
    findings: Finding[];
    /** Names of external images that were not found. */
    missing: string[];
    /** What the game of the map could not hold when the map was last saved. */
    lost?: Finding[];
    /** Why DDNet 20.1, the strictest game, refuses the file that was saved last; null: it opens it. */
    refusal?: Finding | null;
    readonly map: Map;
    readonly info: Info;
    readonly images: Image[];
    readonly sounds: Sound[];
    readonly envelopes: Envelope[];
    /** From back to front. */
    readonly groups: Group[];
    /** Of all groups, from back to front. */
    readonly layers: Layer[];
    /** The mod for which the map seems to be made (docs/mods.md); null: none that is known. */
    readonly mod: { readonly name: string; readonly title: string } | null;
    settings: string[];
    /** In tiles. */
    readonly area: { width: number; height: number };
    readonly edit: Editor;
    /** Asks for pictures of external images that the map does not have yet; returns what is missing. */
    loadImages(images: Images): Promise<string[]>;
    /** The object at an address: "image/grass_main", "Game/Front", "2/3", "info". */
    at(address: string): Map | Info | Image | Sound | Envelope | Group | Layer;
    /** The tiles of the physics layers at a place, without air; in words for those that the game knows. */
    tilesAt(x: number, y: number): TileAt[];
    /** What the 256 tiles of a layer of physics are to the game; null: it does nothing there, or it is no such layer. */
    tileInfos(layer: Layer): (TileInfo | null)[] | null;
    /** The fields of an object or of one of its elements, as `set` takes them: for whoever makes forms of them. */
    fields(address: string, element?: { list: string; index: number }): FieldRow[];
    copy(): Map;
    /** Gives the memory back. */
    free(): void;
    renderer(options?: Drawn & Limits): Renderer;
    /** Draws one picture into a target; for several take a renderer. */
    render(target: Target, options?: Drawn & Camera & Limits): { width: number; height: number };
    /** The best view: the one that shows most. */
    thumbnail(width?: number, height?: number, options?: Drawn & Limits & { background?: readonly number[] }): Picture;
    /** The file of the map. What was not changed is equal to the original, byte for byte. */
    save(options?: { level?: number; recompress?: boolean; smaller?: boolean; layOut?: boolean; rewrite?: boolean } & Limits): Uint8Array;
    /** The file as small as packing makes it. */
    packed(options?: Limits): Uint8Array;
    /** The findings of a game's loader. most: findings that are listed (1000); a twentieth of them for each id, but 50. */
    check(mode?: "strict" | "game" | "salvage", options?: { most?: number } & Limits): Finding[];
    lint(options?: {
        sets?: string; choices?: Record<string, "off" | "on" | "note" | "warning" | "error">; config?: Record<string, string>;
        most?: number; apart?: boolean; rules?: Rules; verdict?: boolean;
    } & Limits): Lint;
    /** For a damaged map, loaded in mode "salvage": counts what is left, removes lost quads and sources. Save with rewrite. */
    rescue(options?: Limits): { findings: Finding[]; counts: Record<string, { num: number; damaged: number; lost: number }> };
    find(patterns: string | readonly string[], options?: { layers?: string; region?: readonly number[] } & Limits): Match[];
    patch(patch: Patch, options?: { partial?: boolean } & Limits): Report;
    diff(other: Map, options?: Limits): Patch;
    merge(ours: Map, theirs: Map, options?: MergeOptions & Limits): Merge;
    convert(to: "ddnet" | "teeworlds06" | "teeworlds07", options?: { way?: "embed" | "rename" | "keep"; keepTiles?: boolean; shipped?: Images } & Limits): Promise<Report>;
    optimize(options?: { images?: boolean; colors?: boolean } & Limits): Report;
    automap(options?: (Parameters<Operations["automap"]>[0] | Parameters<Operations["automapBy"]>[0]) & { rules?: Rules; draw?: number } & Limits): Report;
    /** Where the bytes of the file are. */
    size(options?: Limits): Share[];
    /** The map as one flat row (docs/facts.md). */
    facts(options?: Limits): Record<string, string | number | string[] | null>;
}
export interface Map extends MapFields {}
interface MergeOptions { resolve?: Record<string, "unresolved" | "ours" | "theirs" | "both">; mark?: boolean }

/** The changes that turn one map into another. */
export class Patch {
    /** Reads what bytes() wrote, or teemap diff -o. */
    static read(source: Bytes): Promise<Patch>;
    readonly length: number;
    readonly changes: Difference[];
    /** What differs in parts of the files that are not read, which no patch holds; of diff() only. */
    readonly unread: Finding[];
    /** All of it as JSON in UTF-8. */
    bytes(): Uint8Array;
    apply(map: Map, options?: { partial?: boolean } & Limits): Report;
    inverted(): Patch;
    /** A part of it: words like "tiles", "physics", "2/3", "settings" (docs/compare.md). */
    filtered(words?: string, options?: { region?: readonly number[]; race?: boolean }): Patch;
    union(other: Patch): Patch;
    /** Gives the memory back. */
    free(): void;
}
export function diff(before: Map, after: Map, options?: Limits): Patch;
export function merge(base: Map | null, ours: Map, theirs: Map, options?: MergeOptions & Limits): Merge;
