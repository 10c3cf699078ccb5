// SPDX-License-Identifier: Zlib
// Everything.
export { TeemapError, init, reset, memorySize, version } from "./wasm.js";
export { readPng } from "./images.js";
export { UpdatedRenderer as Renderer } from "./update.js";
export { Patch, diff, merge } from "./compare.js";
export { operations, operationHelp, operationLine } from "./edit.js";
export { writePng, TeemapMap as Map } from "./work.js";
