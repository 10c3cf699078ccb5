// SPDX-License-Identifier: Zlib
// What a map is made of. Objects are places in the lists of the map: they find their struct at each access.
import { TeemapError } from "./wasm.js";
import { Elements, Tiles, addFields, dropUnread, unreadFields, writeField } from "./fields.js";

const STRUCT_OF = { image: "tm_image", sound: "tm_sound", envelope: "tm_envelope", group: "tm_group" };

class MapObject {
  constructor(map, ...place) { Object.assign(this, { map, _place: place }); }

  get index() { return this._place.at(-1); }
  get address() { return this._prefix + this.index; }
  get _library() { return this.map._library; }
  get _at() {
    const { struct, list, num } = this._list();
    if (this.index >= num) throw new TeemapError(`there is no ${this._kind} ${this.index} any more`, { code: "not found" });
    return this._library.item(struct, list, this.index).at;
  }
  get _struct() { return this._library.at(this._list().struct, this._at); }
  _list() {
    const map = this.map._struct;
    return { struct: STRUCT_OF[this._kind], list: map[`${this._kind}s`], num: map[`num_${this._kind}s`] };
  }
  _reference(kind, index) { return this.map._object(kind, index); }
  _write(field, value) { writeField(this._library, this.map._at, this._at, field, value); }
  get _owner() { return this._kind.toUpperCase(); }
  /** The names of texts that the file has and that could not be read: they are undefined, saved as they are, and cannot be set. */
  get unread() { return unreadFields(this._library, this._at, this._owner); }
  /** Removes these texts, so that they can be set. */
  dropUnread() { dropUnread(this._library, this.map._at, this._at, this._owner); }
  /** An array over the bytes of a block. */
  _block(block, of = Uint8Array) {
    const { at, size } = this.map._data(block);
    return new of(this._library.memory.buffer, at, size / of.BYTES_PER_ELEMENT);
  }
  /** All fields by name, for JSON and consoles. */
  toJSON() {
    const values = {};
    for (let of = Object.getPrototypeOf(this); of !== MapObject.prototype; of = Object.getPrototypeOf(of))
      for (const name of Object.keys(of)) values[name] ??= this[name] instanceof MapObject ? this[name].address : this[name];
    return values;
  }
}

export class Image extends MapObject {
  get _kind() { return "image"; }
  get _prefix() { return "image/"; }
  /** The embedded pixels as they are, 4 or 3 bytes each, or null: a view that dies with the next call into the module. */
  get pixels() { const { pixels } = this._struct; return pixels ? this._block(pixels, Uint8ClampedArray) : null; }
  /** A copy of the pixels, for ImageData: red, green, blue, alpha. Null for an external image. */
  rgba() {
    const size = this._library.tm_image_rgba_size(this._at);
    if (!size) return null;
    return this._library.scope(() => {
      const at = this._library.alloc(size);
      this._library.tm_map_image_pixels(this.map._at, this._at, at, size);
      return { data: new Uint8ClampedArray(this._library.bytes(at, size).slice().buffer), width: this.width, height: this.height };
    });
  }
  /** Embeds pixels; null makes the image external. */
  setPixels(picture) {
    this._library.scope(() => {
      const { data, width, height } = picture ?? { width: 0, height: 0 };
      if (picture && data.length !== width * height * 4) throw new TypeError(`a picture of ${width} x ${height} has ${width * height * 4} bytes`);
      this._library.tm_map_set_pixels(this.map._at, this.index, data ? this._library.put(data) : 0, width, height);
    });
  }
}

export class Sound extends MapObject {
  get _kind() { return "sound"; }
  get _prefix() { return "sound/"; }
  /** The Opus file, or null: a view that dies with the next call into the module. */
  get data() { const { data } = this._struct; return data ? this._block(data) : null; }
  /** Embeds an Opus file; null makes the sound external. */
  setData(opus) {
    this._library.scope(() => this._library.tm_map_set_sound(this.map._at, this.index, opus ? this._library.put(opus) : 0, opus?.length ?? 0));
  }
}

export class Envelope extends MapObject {
  get _kind() { return "envelope"; }
  get _prefix() { return "envelope/"; }
  get points() {
    const read = () => ({ at: this._struct.points, num: this._struct.num_points });
    const edit = () => this._library.scope(() => {
      const out = this._library.alloc(4);
      this._library.tm_map_edit_points(out, this.map._at, this.index);
      return read();
    });
    return new Elements("ENVELOPE_POINT", this, read, edit);
  }
}

export class Group extends MapObject {
  get _kind() { return "group"; }
  get _prefix() { return ""; }
  /** From back to front. */
  get layers() { return Array.from({ length: this._struct.num_layers }, (_, i) => this.map._layer(this.index, i)); }
}

export class Info extends MapObject {
  get _kind() { return "info"; }
  get address() { return "info"; }
  get _at() { return this.map._struct.info.at; }
}

const GRIDS = { tele: "TELE_TILE", speedup: "SPEEDUP_TILE", switch: "SWITCH_TILE", tune: "TUNE_TILE" };

export class Layer extends MapObject {
  get _kind() { return "layer"; }
  get address() { return this._place.join("/"); }
  get group() { return this.map._object("group", this._place[0]); }
  _list() {
    const group = this.group._struct;
    return { struct: "tm_layer", list: group.layers, num: group.num_layers };
  }
}

export class TileLayer extends Layer {
  get tiles() {
    const read = (name, ...of) => this._library.scope(() => {
      const grid = this._library.make(name === "tm_map_tiles" ? "tm_grid" : "tm_edit_grid");
      this._library[name](grid, this.map._at, ...of);
      return { at: grid.tiles, num: grid.width * grid.height };
    });
    return new Tiles(GRIDS[this.kind] ?? "TILE", this, () => read("tm_map_tiles", this._at), () => read("tm_map_edit_tiles", ...this._place));
  }
}

export class QuadLayer extends Layer {
  get quads() { return listed(this, "QUAD", "tm_map_quads", "tm_map_edit_quads", () => this._struct.as.quads.num_quads); }
}

export class SoundLayer extends Layer {
  get sources() {
    if (this.kind !== "old-sounds") return listed(this, "SOUND_SOURCE", "tm_map_sources", "tm_map_edit_sources", () => this._struct.as.sounds.num_sources);
    const layer = () => this._struct.as.sounds;
    const ask = (name) => ({ at: this.map._data(layer().sources, name).at, num: layer().num_sources });
    return new Elements("OLD_SOURCE", this, () => ask("tm_map_data"), () => ask("tm_map_edit_data"));
  }
}

/** count: how many there are, by the struct: reading them unpacks. */
function listed(layer, owner, reading, editing, count) {
  const library = layer._library;
  const ask = (name, ...of) => library.scope(() => {
    const out = library.alloc(8);
    library[name](out, out + 4, layer.map._at, ...of);
    return { at: library.get(out, "u"), num: library.get(out + 4, "u") };
  });
  return new Elements(owner, layer, () => ask(reading, layer._at), () => ask(editing, ...layer._place), count);
}

const LAYERS = { quads: QuadLayer, sounds: SoundLayer, "old-sounds": SoundLayer, unknown: Layer };

/** The class of a layer, by the name of its kind. */
export function layerClass(kind) { return LAYERS[kind] ?? TileLayer; }

/** The classes, and the names of the tables that hold their fields. */
const TABLES = [[Image, "IMAGE"], [Sound, "SOUND"], [Envelope, "ENVELOPE"], [Group, "GROUP"], [Info, "INFO"], [Layer, "LAYER"],
  [TileLayer, "TILE_LAYER"], [QuadLayer, "QUAD_LAYER"], [SoundLayer, "SOUND_LAYER"]];

/** The names of the tables that hold the fields of an object; a layer has two, and a map itself none here. */
export const tablesOf = (object) => TABLES.filter(([type]) => object instanceof type).map(([, table]) => table);

/** Gives all classes their properties, once the library is loaded. */
export function defineObjects(library) {
  if (Object.hasOwn(Info.prototype, "author")) return;
  for (const [type, table] of TABLES) addFields(type, library, table);
}
