// SPDX-License-Identifier: Zlib
// Pictures: those of external images, which are handed over when a map is loaded.
import { TeemapError } from "./wasm.js";
import { decode } from "./png.js";

/** The bytes of a Uint8Array, an ArrayBuffer, a Blob or a Response. */
export async function bytesOf(source) {
  if (typeof source?.arrayBuffer === "function") source = await source.arrayBuffer();
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  throw new TypeError("the bytes of a file are needed: a Uint8Array, ArrayBuffer, Blob or Response");
}

/** Reads a PNG: { data, width, height } as ImageData has them. */
export async function readPng(source) {
  return decode(await bytesOf(source));
}

/** Pictures by name, as the library asks for them. */
export class Images {
  constructor(given) { this.given = given; }
  teemap_image(name, game, allocator, rgba, width, height) {
    const found = this.given.get(name);
    if (!found) return C.TM_ERROR_NOT_FOUND;
    const status = this.library.handOver(found.data, allocator, rgba, 0);
    this.library.set(width, "u", found.width);
    this.library.set(height, "u", found.height);
    return status;
  }
}

/** What an object has for a name of a map, which may be that of something that all objects have: "constructor". */
export const ownValue = (given, name) => (given && Object.hasOwn(given, name) ? given[name] : undefined);

/** What `images` has for a name: a picture, or the bytes of a PNG. An error in it is told as a missing image. */
export async function fetchImage(images, name, game) {
  const found = await (typeof images === "function" ? images(name, game) : ownValue(images, name));
  if (!found) return null;
  if (found.data && found.width) return found;
  return decode(await bytesOf(found));
}

export function notFound(error) {
  return error instanceof TeemapError && error.code !== "crash";
}
