// SPDX-License-Identifier: Zlib
// What shows maps, and nothing that changes them.
export { TeemapError, init, reset, memorySize, version } from "./wasm.js";
export { readPng } from "./images.js";
export { Renderer } from "./render.js";
export { PlainMap as Map } from "./map.js";
