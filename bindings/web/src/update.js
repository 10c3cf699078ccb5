// SPDX-License-Identifier: Zlib
// A renderer that follows a map whose tiles change, and is not prepared anew.
import { Renderer } from "./render.js";

export class UpdatedRenderer extends Renderer {
  /** Takes the tiles of a layer from a map that differs only in tiles. It then draws as a new renderer of that map would. */
  update(map, address) {
    const library = this._library;
    const [own, from] = [this._given.more.at(address), map.at(address)];
    const { width, height, kind } = from;
    if (own.width !== width || own.height !== height || own.kind !== kind) throw new TypeError(`layer ${address} is another one by now`);
    const tiles = from.tiles.array.slice();
    const view = own.tiles.edit();
    let [first, end] = [0, tiles.length];
    while (first < end && tiles[first] === view[first]) first++;
    while (first < end && tiles[end - 1] === view[end - 1]) end--;
    if (first === end) return;
    view.set(tiles.subarray(first, end), first);
    const [top, bottom] = [Math.floor(first * height / tiles.length), Math.ceil(end * height / tiles.length)];
    library.scope(() => library.tm_renderer_update(this._at, ...own._place, library.make("tm_rect", { x: 0, y: top, width, height: bottom - top })));
  }
}
