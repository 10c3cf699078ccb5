// SPDX-License-Identifier: Zlib
/**
 * <teemap-view>: a map on a page. Attributes: src, images, layers, entities, view, time, motion, label (docs/web.md). Events: "load" when the
 * first picture is there, "error" with a message.
 */
export interface TeemapView extends HTMLElement {
    /** Names of images that the map only names, and that were not found. */
    readonly missing: string[];
    /** What it shows: the middle in tiles, and how far away it is; null before the first picture. */
    readonly camera: { x: number; y: number; zoom: number } | null;
}

declare global {
    interface HTMLElementTagNameMap { "teemap-view": TeemapView }
}
