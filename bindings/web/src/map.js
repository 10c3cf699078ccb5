// SPDX-License-Identifier: Zlib
// Maps: loaded from bytes, looked at, drawn, given back. What changes and compares them is in work.js.
import { TeemapError, checkSignal, init, limitMethods, limitsOf } from "./wasm.js";
import { addFields, writeField } from "./fields.js";
import { Image, Sound, Envelope, Group, Info, defineObjects, layerClass } from "./objects.js";
import { Images, bytesOf, fetchImage, notFound } from "./images.js";
import { Owned, choose, readFindings } from "./results.js";
import { Renderer, thumbnail } from "./render.js";

const CLASSES = { image: Image, sound: Sound, envelope: Envelope, group: Group };
export const MODES = ["game", "strict", "salvage"];

// Bytes that a map may unpack to: some, more for each byte of its file, and at most what the library gives (as in the Python package).
const USUAL_UNPACKED = 2 ** 28, UNPACKED_A_BYTE = 400, MOST_UNPACKED = 2 ** 31;

export class PlainMap extends Owned {
  /**
   * Loads a map from the bytes of a file. memory: bytes that its data may take unpacked, by default 256 MiB and 400 for each byte of it;
   * timeout, signal, progress: of this and of each later call on the map and its copies, as `limits`.
   */
  static async load(source, { images, mode = "game", path = "", memory: most = null, ...own } = {}) {
    const limits = limitsOf({}, own);
    checkSignal(limits.signal);
    const bytes = await bytesOf(source);
    const library = await init();
    defineObjects(library);
    const map = library.limited(limits, () => library.scope(() => {
      const memory = library.exports.malloc(Math.max(1, bytes.length)) >>> 0; // the library frees it with the map
      if (!memory) throw new TeemapError("no memory for the file", { code: "memory" });
      library.bytes(memory, bytes.length).set(bytes);
      const input = library.make("tm_input");
      library.exports.tm_input_from_memory(input.at, memory, bytes.length);
      input.ctx = memory;
      input.close = library.function("free");
      const unpacked_bytes = Math.max(1, most ?? Math.min(MOST_UNPACKED, USUAL_UNPACKED + UNPACKED_A_BYTE * bytes.length));
      const limits = library.make("tm_limits", { unpacked_bytes, block_bytes: Math.min(2 ** 30, unpacked_bytes) });
      const options = library.make("tm_mapfile_options", { mode: choose(MODES, mode, "mode"), limits: limits.at });
      const findings = library.make("tm_findings");
      library.tm_findings_init(findings, 0, 0);
      try {
        const made = new this(library, library.take("p", "tm_mapfile_load", input, options, findings));
        made.findings = readFindings(library, findings);
        return made;
      } finally {
        if (!library.dead) library.tm_findings_release(findings);
      }
    }));
    Object.assign(map, { path, limits, fileSize: bytes.length });
    await map.loadImages(images);
    return map;
  }

  constructor(library, at) {
    super(library, at, "tm_map_free");
    Object.assign(this, { path: "", fileSize: 0, findings: [], missing: [], limits: {} });
    library.tm_map_set_cancel(at, library.job.cancel);
    addFields(new.target, library, "MAP");
    this._pictures = new Images(new Map());
    this._pictures.library = library;
  }

  /** Requests the pictures of the external images that the map does not have yet. Those that are not found become `missing`. */
  async loadImages(images) {
    this.missing = [];
    for (const { name, external } of this.images) {
      checkSignal(this.limits.signal);
      if (!external || name === undefined || this._pictures.given.has(name)) continue;
      let found = null;
      try {
        found = await fetchImage(images, name, this.game);
      } catch (error) {
        if (!notFound(error)) throw error;
      }
      if (found) this._pictures.given.set(name, found);
      else this.missing.push(name);
    }
    return this.missing;
  }

  get map() { return this; }
  get _struct() { return this._library.at("tm_map", this._at); }
  _object(kind, index) { return new CLASSES[kind](this, index); }
  _reference(kind, index) { return this._object(kind, index); }
  _layer(group, index) {
    const library = this._library;
    const layers = library.item("tm_group", this._struct.groups, group).layers;
    const kind = library.tm_game_layer(library.item("tm_layer", layers, index).kind);
    return new (layerClass(library.at("tm_layer_info", kind).name))(this, group, index);
  }
  _write(field, value) { writeField(this._library, this._at, this._at, field, value); }
  _data(block, name = "tm_map_data") {
    return this._library.scope(() => {
      const out = this._library.alloc(16);
      this._library[name](out, out + 8, this._at, block);
      return { at: this._library.get(out, "u"), size: this._library.get(out + 8, "L") };
    });
  }
  _list(kind) { return Array.from({ length: this._struct[`num_${kind}s`] }, (_, i) => this._object(kind, i)); }

  get info() { return new Info(this); }
  get images() { return this._list("image"); }
  get sounds() { return this._list("sound"); }
  get envelopes() { return this._list("envelope"); }
  /** From back to front. */
  get groups() { return this._list("group"); }
  /** Of all groups, from back to front. */
  get layers() { return this.groups.flatMap((group) => group.layers); }

  /** The mod for which the map seems to be made, { name, title }; null: none that is known (docs/mods.md). */
  get mod() {
    const found = this._library.take("p", "tm_map_find_mod", 0, 0, this._at);
    if (!found) return null;
    const { name, title } = this._library.at("tm_mod", found);
    return { name, title };
  }

  /** The server commands; throws if they are too long or too damaged to be read (info.unread). */
  get settings() {
    const { settings, num_settings, unread_settings } = this._struct.info;
    if (unread_settings) throw new TeemapError("the settings could not be read", { code: "unsupported", side: "input" });
    return Array.from({ length: num_settings }, (_, i) => this._library.get(settings + 4 * i, "s"));
  }
  set settings(commands) {
    this._library.scope(() => this._library.tm_map_set_settings(this._at, this._library.texts(commands), commands.length));
  }

  /** In tiles: of the game layer, else of the largest one. */
  get area() {
    return this._library.scope(() => {
      const out = this._library.alloc(8);
      this._library.tm_map_area(out, out + 4, this._at);
      return { width: this._library.get(out, "u"), height: this._library.get(out + 4, "u") };
    });
  }

  /** The object at an address: map.at("image/grass_main"), map.at("Game/Front"), map.at("2/3"), map.at("info"). */
  at(address) {
    return this._library.scope(() => {
      const found = this._library.make("tm_address");
      this._library.tm_address_parse(found, this._at, address);
      switch (found.kind) {
        case C.TM_KIND_LAYER: return this._layer(found.index, found.layer);
        case C.TM_KIND_IMAGE: return this._object("image", found.index);
        case C.TM_KIND_SOUND: return this._object("sound", found.index);
        case C.TM_KIND_ENVELOPE: return this._object("envelope", found.index);
        case C.TM_KIND_GROUP: return this._object("group", found.index);
        case C.TM_KIND_INFO: return this.info;
        case C.TM_KIND_MAP: return this;
        default: throw new TeemapError(`'${address}' is no object of the map`, { code: "not found", side: "usage" });
      }
    });
  }

  /** The tiles of the physics layers at a place, without air: their fields, and for tiles that the game knows, what they are and do in words. */
  tilesAt(x, y) {
    const library = this._library;
    const mod = library.take("p", "tm_map_find_mod", 0, 0, this._at);
    return this.layers.flatMap((layer) => {
      const { kind, tiles } = layer;
      if (!tiles || kind === "tiles" || !(x >= 0 && y >= 0 && x < tiles.width && y < tiles.height)) return [];
      const tile = tiles.at(x, y);
      const index = tile.index ?? tile.type;
      if (!index) return [];
      const info = library.tm_mod_tile(mod, this._struct.game, layer._struct.kind, index);
      const { id, title } = info ? library.at("tm_tile_info", info) : { id: null, title: null };
      return [{ ...tile, address: layer.address, kind, index, id, title }];
    });
  }

  /** A copy of the map. Both share their data until one of them changes. */
  copy() {
    const made = new this.constructor(this._library, this._library.take("p", "tm_map_clone", this._at));
    made._pictures.given = new Map(this._pictures.given);
    const { path, fileSize, findings, missing, limits } = this;
    return Object.assign(made, { path, fileSize, findings, missing, limits: { ...limits } });
  }

  /** Prepares the map for many pictures. */
  renderer(options) { return new Renderer(this, options); }

  /** Draws one picture into `target`: ImageData, or { data, width, height }. Options as of Renderer and Renderer.draw. */
  render(target, options) {
    const renderer = this.renderer(options);
    try {
      return renderer.draw(target, options);
    } finally {
      renderer.free();
    }
  }

  /** The best view, which shows most; with entities where the design shows nothing. */
  thumbnail(width = 360, height = 225, options = {}) { return thumbnail(this, width, height, options); }
}

limitMethods(PlainMap, { render: 1, thumbnail: 2 });
