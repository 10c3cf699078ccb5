// SPDX-License-Identifier: Zlib
// The part of teemap.d.ts that shows maps.
import { Bytes, Camera, Drawn, Finding, Images, Limits, Map as Whole, Picture, View } from "./teemap.js";

export { TeemapError, init, reset, memorySize, version, readPng } from "./teemap.js";

export interface Map extends Omit<Whole, "copy" | "renderer" | "edit" | "save" | "packed" | "check" | "lint" | "find" | "patch" | "diff" | "merge" | "convert" |
    "optimize" | "automap" | "size" | "facts" | "lost"> {
    copy(): Map;
    renderer(options?: Drawn & Limits): Renderer;
}
export const Map: { load(source: Bytes, options?: { images?: Images; mode?: "game" | "strict" | "salvage"; path?: string; memory?: number | null } & Limits): Promise<Map> };

export class Renderer {
    constructor(map: Map, options?: Drawn & Limits);
    readonly findings: Finding[];
    opacities: number[] | null;
    draw(target: { data: Uint8ClampedArray | Uint8Array; width: number; height: number }, options?: Camera & Limits): { width: number; height: number };
    picture(width: number, height: number, options?: Camera & Limits): Picture;
    best(num?: number, width?: number, height?: number, time?: number, limits?: Limits): View[];
    find(view: string, width?: number, height?: number, time?: number, limits?: Limits): View;
    toPicture(group: number, point: readonly number[], width: number, height: number, options?: Camera): [number, number];
    fromPicture(group: number, point: readonly number[], width: number, height: number, options?: Camera): [number, number];
    free(): void;
}
