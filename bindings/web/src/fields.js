// SPDX-License-Identifier: Zlib
// Fields of objects and elements by the library's table: read and written as JavaScript has them. FIELDS holds their names.
import { TeemapError } from "./wasm.js";

const TYPES = ["INT", "BOOL", "CHOICE", "FLAGS", "FIXED", "COLOR", "POINT", "INDEX", "REFERENCE", "TEXT", "NAME", "TEXTS", "COUNT", "BLOCK", "LIST"];
const tables = new Map();

/** The rows of an owner, by its name ("LAYER"): the number of the row's struct, its name and type. */
export function fieldsOf(library, owner) {
  if (!tables.has(owner))
    tables.set(owner, library.scope(() => {
      const num = library.alloc(4);
      const list = library.tm_fields(num, Object.keys(FIELDS).indexOf(owner));
      return FIELDS[owner].map((name, i) => {
        const row = library.item("tm_field", list, i);
        return { at: row.at, name, type: TYPES[row.type], refers: Object.keys(FIELDS)[row.refers].toLowerCase(), num: row.num_values, storage: row.storage,
          offset: row.offset, alias: (row.flags & C.TM_FIELD_ALIAS) !== 0, choice: row.choice,
          plain: !["BLOCK", "LIST", "TEXTS", "COUNT"].includes(TYPES[row.type]) };
      });
    }));
  return tables.get(owner);
}

/** The names of an owner's fields that the file has and that could not be read. */
export function unreadFields(library, at, owner) {
  return fieldsOf(library, owner).filter((field) => field.type !== "COUNT" && library.tm_field_unread(field.at, at)).map((field) => field.name);
}

/** Removes what could not be read, so that it can be set. */
export function dropUnread(library, map, at, owner) {
  for (const field of fieldsOf(library, owner)) library.tm_field_drop_unread(map, at, field.at);
}

/** A value of an object. `reference(kind, index)`: what a reference leads to; without it the index. Undefined: it could not be read. */
export function readField(library, at, field, reference, index = 0) {
  return library.scope(() => {
    const value = library.make("tm_value");
    library.exports.tm_field_get(value.at, field.at, at, index);
    const { number } = value.as;
    if (value.unread) return undefined;
    switch (field.type) {
      case "BOOL": return number !== 0;
      case "FIXED": return number / 1024;
      case "CHOICE": return library.text(field.choice && library.exports.__indirect_function_table.get(field.choice)(BigInt(number))) || number;
      case "INDEX": return number < 0 ? null : number;
      case "REFERENCE": return number < 0 ? null : reference ? reference(field.refers, number) : number;
      case "COLOR": { const { r, g, b, a } = value.as.color; return [r, g, b, a]; }
      case "POINT": { const { x, y } = value.as.point; return [x / 1024, y / 1024]; }
      case "TEXT": case "NAME": return value.as.text;
      default: return number;
    }
  });
}

/** Sets a value. Texts are read as the command line reads them, so errors name the allowed values. */
export function writeField(library, map, at, field, value, index = 0) {
  library.scope(() => {
    if (value === undefined) throw new TypeError(`${field.name} cannot be set to undefined, which is a value that could not be read`);
    if (typeof value === "string" && field.type !== "TEXT" && field.type !== "NAME")
      return library.tm_field_set_text(map, at, field.at, index, value);
    const made = library.make("tm_value", { type: TYPES.indexOf(field.type) });
    const to = made.as;
    switch (field.type) {
      case "TEXT": case "NAME": to.text = String(value ?? ""); break;
      case "COLOR": to.color = Object.fromEntries(several(field, value, "rgba").map(([name, one]) => [name, whole(field, one)])); break;
      case "POINT": to.point = Object.fromEntries(several(field, value, "xy").map(([name, one]) => [name, whole(field, Math.round(one * 1024))])); break;
      case "FIXED": to.number = whole(field, Math.round(value * 1024)); break;
      case "BOOL": to.number = value ? 1 : 0; break;
      default: to.number = value === null ? -1 : whole(field, value?.index ?? value);
    }
    library.tm_field_set(map, at, field.at, index, made);
  });
}

function several(field, value, names) {
  if (value?.length !== names.length) throw new TypeError(`${field.name} is made of ${names.length} numbers`);
  return Array.from(value, (one, i) => [names[i], one]);
}

function whole(field, value) {
  if (!Number.isSafeInteger(value)) throw new TypeError(`${field.name} takes a whole number, not ${value}`);
  return value;
}

/** Gives a class a property for each field of an owner; its objects tell `_library`, `_map` and `_at`, and refer by `_reference`. */
export function addFields(of, library, owner) {
  for (const field of fieldsOf(library, owner))
    if (field.plain && field.num === 1 && !Object.hasOwn(of.prototype, field.name))
      Object.defineProperty(of.prototype, field.name, {
        configurable: true,
        enumerable: true,
        get() { return readField(this._library, this._at, field, (kind, index) => this._reference(kind, index)); },
        set(value) { this._write(field, value); },
      });
}

/** Tiles, quads, points or sources: a list of structs in the memory of the module. */
export class Elements {
  constructor(owner, object, read, edit, count = () => read().num) {
    Object.assign(this, { _owner: owner, _object: object, _read: read, _edit: edit, _count: count });
  }

  get _library() { return this._object._library; }
  get _fields() { return fieldsOf(this._library, this._owner).filter((field) => field.plain && !field.alias); }
  get _size() { return this._library.tm_kind_size(Object.keys(FIELDS).indexOf(this._owner)); }

  get length() { return this._count(); }

  /** All of it as an array over the memory: bytes of tiles, else int32. It dies with the next call into the module. */
  get array() { return this._view(this._read()); }

  /** The same for writing: the map counts as changed. */
  edit() { return this._view(this._edit()); }

  _view({ at, num }) {
    const small = this._fields.some((field) => field.storage === C.TM_STORED_UINT8);
    return new (small ? Uint8Array : Int32Array)(this._library.memory.buffer, at, num * this._size / (small ? 1 : 4));
  }

  _place(i, { at, num }) {
    if (!(Number.isInteger(i) && i >= 0 && i < num)) throw new RangeError(`there is no element ${i} of ${num}`);
    return at + i * this._size;
  }

  /** The i-th as an object, by the table of fields. */
  get(i) {
    const at = this._place(i, this._read());
    return Object.fromEntries(this._fields.map((field) => [field.name, field.num > 1
      ? Array.from({ length: field.num }, (_, k) => readField(this._library, at, field, null, k))
      : readField(this._library, at, field)]));
  }

  /** Sets some of its fields. */
  set(i, values) {
    this._place(i, this._read()); // before the map counts as changed
    const known = new Map(this._fields.map((field) => [field.name, field]));
    for (const name of Object.keys(values))
      if (!known.has(name)) throw new TypeError(`there is no field '${name}': ${[...known.keys()].join(", ")}`);
    for (const [name, value] of Object.entries(values)) {
      const field = known.get(name);
      const put = (one, k) => writeField(this._library, this._object.map._at, this._place(i, this._edit()), field, one, k);
      if (field.num > 1) value.forEach(put);
      else put(value, 0);
    }
  }

  *[Symbol.iterator]() {
    for (let i = 0; i < this.length; i++) yield this.get(i);
  }
}

/** Tiles of a layer, row by row. */
export class Tiles extends Elements {
  get width() { return this._object.width; }
  get height() { return this._object.height; }
  at(x, y) { return this.get(this._number(x, y)); }
  put(x, y, values) { this.set(this._number(x, y), values); }
  _number(x, y) {
    if (!(x >= 0 && y >= 0 && x < this.width && y < this.height)) throw new TeemapError(`there is no tile ${x},${y}`, { code: "usage", side: "usage" });
    return y * this.width + x;
  }
}
