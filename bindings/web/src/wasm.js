// SPDX-License-Identifier: Zlib
// The library in the memory of WebAssembly: calls by the signatures of its headers, structs by their layout, errors as exceptions.
// FUNCTIONS, STRUCTS, C, CALLBACKS and SIGNATURES are written by make_modules.py: the letters there mean
//   v nothing, t status, b bool, i u int32, l L int64, f d numbers, s text, p pointer, e error, S... a struct; of fields also
//   a B h H small numbers, c and others behind a number: an array

/** An error of the library. */
export class TeemapError extends Error {
  constructor(message, more = {}) {
    super(message);
    this.name = "TeemapError";
    Object.assign(this, { code: "", side: "none", place: "", offset: null, reason: message }, more);
  }
}

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();
const ARRAYS = { a: Int8Array, B: Uint8Array, h: Int16Array, H: Uint16Array, i: Int32Array, u: Uint32Array, f: Float32Array, d: Float64Array,
  l: BigInt64Array, L: BigUint64Array };
const PLAIN = { a: ["Int8", 1], B: ["Uint8", 1], h: ["Int16", 2], H: ["Uint16", 2], i: ["Int32", 4], u: ["Uint32", 4], p: ["Uint32", 4],
  f: ["Float32", 4], d: ["Float64", 8], l: ["BigInt64", 8], L: ["BigUint64", 8] };
const classes = new Map();

/** The class of views of a struct: a property for each field, over memory that is looked up at each access. */
function structClass(name) {
  if (!classes.has(name)) {
    const made = class { constructor(library, at) { this.library = library; this.at = at; } };
    classes.set(name, made);
    for (const [field, [offset, code]] of Object.entries(STRUCTS[name][1]))
      Object.defineProperty(made.prototype, field, {
        get() { return this.library.get(this.at + offset, code); },
        set(value) { this.library.set(this.at + offset, code, value); },
      });
  }
  return classes.get(name);
}

/** Throws where a signal is aborted: an AbortSignal, another object with `aborted`, or an Int32Array whose first number is not 0. */
export function checkSignal(signal) {
  if (!signal || !(signal instanceof Int32Array ? Atomics.load(signal, 0) : signal.aborted)) return;
  throw new TeemapError("cancelled by its signal", { code: "cancelled", cause: signal.reason });
}

/** What a call may take: its own options, else those of its map. */
export function limitsOf(usual, options) {
  const limits = { ...usual };
  for (const name of ["timeout", "signal", "progress"]) if (options?.[name] !== undefined) limits[name] = options[name];
  if (limits.timeout != null && !(limits.timeout > 0)) throw new RangeError(`timeout is ${limits.timeout}, and must be above 0 seconds`);
  return limits;
}

/** Gives methods of a class the options timeout, signal and progress, beside those of the argument at this place. */
export function limitMethods(type, places) {
  for (const [name, place] of Object.entries(places)) {
    const plain = type.prototype[name];
    Object.defineProperty(type.prototype, name, { writable: true, configurable: true, value(...given) {
      return this._library.limited(limitsOf(this.limits, given[place]), () => plain.apply(this, given));
    } });
  }
}

const TICK = 100; // ms between two calls of progress, where the library has nothing to tell

/** One call that may end early. */
class Watch {
  constructor(limits) {
    Object.assign(this, limits, { reason: null, done: 0, total: 1, told: 0 });
    this.until = this.timeout ? performance.now() + this.timeout * 1000 : Infinity;
  }

  /** The work is done; some counts what it could not read in time as damaged, and goes on. What is changed for good is changed after this. */
  end() {
    if (this.ended) return;
    if (!this.late() && this.done !== this.total) this.tell(this.total, this.total);
    if (this.reason) throw this.reason;
    this.ended = true;
  }

  /** Whether the work is to stop. */
  late() {
    if (this.reason) return true;
    const now = performance.now();
    if (now >= this.until) this.reason = new TeemapError(`it takes longer than timeout=${this.timeout} seconds`, { code: "timeout" });
    else if (this.progress && now - this.told >= TICK) this.tell(this.done, this.total);
    try {
      checkSignal(this.signal);
    } catch (error) {
      this.reason ??= error;
    }
    return this.reason !== null;
  }

  /** The same for work in steps. */
  step(done, total) {
    this.tell(done, total);
    if (this.late()) throw this.reason;
  }

  tell(done, total) {
    Object.assign(this, { done, total, told: performance.now() });
    if (!this.progress || this.reason || this.telling) return;
    this.telling = true;
    try {
      if (this.progress(done, total) === false) this.reason = new TeemapError("cancelled by progress", { code: "cancelled" });
    } catch (error) {
      this.reason = error;
    }
    this.telling = false;
  }
}

class Library {
  /** A new instance of the module, with memory of its own. */
  static async of(module) {
    const made = new Library();
    made.use(await WebAssembly.instantiate(module, made.imports()));
    return made;
  }

  constructor() {
    this.kept = []; // memory of the innermost scope, and of those around it
    this.handles = new Map(); // objects of JavaScript that the library holds a number of
    this.last = 0;
    this.watch = null; // over the call that may end early
  }

  imports() {
    const imports = { env: { emscripten_notify_memory_growth() {} }, teemap: {} };
    for (const [name, signature] of Object.entries(SIGNATURES))
      imports.teemap[name] = (...given) => this.answer(name, signature, given);
    return imports;
  }

  use(instance) {
    this.exports = instance.exports;
    this.memory = instance.exports.memory;
    instance.exports._initialize?.();
    for (const [name, signature] of Object.entries(FUNCTIONS))
      this[name] = (...given) => this.call(name, signature, given);
  }

  // ------------------------------------------------------------------------------------------------ memory

  get view() {
    if (this.data?.buffer !== this.memory.buffer) this.data = new DataView(this.memory.buffer);
    return this.data;
  }

  bytes(at, size) { return new Uint8Array(this.memory.buffer, at, size); }

  /** Memory of zeros that lives until the scope ends. */
  alloc(size) {
    const at = this.exports.malloc(Math.max(1, size)) >>> 0;
    if (!at) throw new TeemapError("no memory", { code: "memory" });
    this.kept.push(at);
    this.bytes(at, size).fill(0);
    return at;
  }

  /** Calls a function, and frees what it allocated. */
  scope(work) {
    const before = this.kept.length;
    try {
      return work();
    } finally {
      while (this.kept.length > before) {
        const at = this.kept.pop();
        if (!this.dead) this.exports.free(at);
      }
    }
  }

  text(at) {
    if (!at) return "";
    const memory = new Uint8Array(this.memory.buffer);
    return fromUtf8.decode(memory.subarray(at, memory.indexOf(0, at)));
  }

  string(text) {
    const bytes = utf8.encode(text);
    if (bytes.includes(0)) throw new TypeError("a text cannot hold a NUL");
    return this.put(bytes, 1);
  }

  /** A copy of bytes, which lives until the scope ends; `more`: zeros behind it. */
  put(bytes, more = 0) {
    const at = this.alloc(bytes.length + more);
    this.bytes(at, bytes.length).set(bytes);
    return at;
  }

  get(at, code) {
    const plain = PLAIN[code];
    if (plain) {
      const value = this.view["get" + plain[0]](at, true);
      return typeof value === "bigint" ? Number(value) : value;
    }
    if (code === "b") return this.view.getUint8(at) !== 0;
    if (code === "s") return this.text(this.view.getUint32(at, true));
    if (code[0] === "S") return new (structClass(code.slice(1)))(this, at);
    const [, num, of] = /^(\d+)(.*)$/.exec(code);
    if (of === "c") return this.text(at);
    const array = ARRAYS[of];
    if (array) return new array(this.memory.buffer, at, +num);
    return Array.from({ length: +num }, (_, i) => this.get(at + i * this.size(of), of));
  }

  set(at, code, value) {
    const plain = PLAIN[code];
    if (plain) this.view["set" + plain[0]](at, plain[0].startsWith("Big") ? BigInt(value) : value, true);
    else if (code === "b") this.view.setUint8(at, value ? 1 : 0);
    else if (code === "s") this.view.setUint32(at, typeof value === "string" ? this.string(value) : value ?? 0, true);
    else if (code[0] === "S") Object.assign(this.get(at, code), value);
    else if (ARRAYS[/^\d+(.*)$/.exec(code)[1]]) this.get(at, code).set(value);
    else throw new TypeError(`no way to write ${code}`);
  }

  size(code) { return PLAIN[code]?.[1] ?? (code[0] === "S" ? STRUCTS[code.slice(1)][0] : code === "s" ? 4 : 1); }

  /** The struct at an address, as an object whose properties are its fields. */
  at(name, address) { return new (structClass(name))(this, address); }

  /** The i-th struct of a list. */
  item(name, list, i) { return this.at(name, list + i * STRUCTS[name][0]); }

  /** A new struct of zeros, with these fields; option structs know their size. */
  make(name, fields = {}) {
    const [size, layout] = STRUCTS[name];
    const made = this.at(name, this.alloc(size));
    if (layout.size?.[0] === 0 && layout.size[1] === "u") made.size = size;
    return Object.assign(made, fields);
  }

  /** A new list of structs. */
  list(name, items) {
    const size = STRUCTS[name][0];
    const at = this.alloc(size * items.length);
    items.forEach((fields, i) => Object.assign(this.at(name, at + i * size), fields));
    return at;
  }

  /** A list of texts for C. */
  texts(words) {
    const at = this.alloc(4 * words.length);
    words.forEach((word, i) => this.set(at + 4 * i, "s", word));
    return at;
  }

  // ----------------------------------------------------------------------------------------------- calling

  call(name, signature, given) {
    return this.scope(() => {
      const words = [];
      let error = 0;
      const result = signature[0][0] === "S" ? this.make(signature[0].slice(1)) : null;
      if (result) words.push(result.at);
      signature.slice(1).forEach((code, i) => {
        if (code === "e") words.push(error = given[i]?.at ?? given[i] ?? this.make("tm_error").at);
        else words.push(this.word(code, given[i]));
      });
      let value;
      try {
        value = this.exports[name](...words);
      } catch (crash) {
        throw this.crashed(crash, name);
      }
      if (this.trouble) {
        const trouble = this.trouble.reason;
        this.trouble = null;
        throw trouble;
      }
      if (signature[0] === "t" && value && error) throw this.error(error);
      if (signature[0] === "t" && value) throw new TeemapError(this.tm_status_name(value), { code: this.tm_status_name(value) });
      if (result) return Object.fromEntries(Object.keys(STRUCTS[signature[0].slice(1)][1]).map((field) => [field, result[field]]));
      return this.value(signature[0], value);
    });
  }

  word(code, value) {
    if (code === "l" || code === "L") return BigInt(value ?? 0);
    if (typeof value === "string") return this.string(value);
    return typeof value === "object" && value ? value.at : Number(value ?? 0);
  }

  value(code, value) {
    if (code === "s") return value ? this.text(value) : null;
    if (code === "b") return value !== 0;
    if (code === "p" || code === "u") return value >>> 0;
    return typeof value === "bigint" ? Number(value) : value;
  }

  /** Calls a function whose first parameter is an out-parameter; returns what it receives. `code`: its type. */
  take(code, name, ...given) {
    return this.scope(() => {
      const out = this.alloc(this.size(code));
      this[name](out, ...given);
      return this.get(out, code);
    });
  }

  /** What a function writes that gets a tm_output. */
  written(work) {
    return this.scope(() => {
      const buffer = this.make("tm_buffer");
      const output = this.make("tm_output");
      this.exports.tm_output_to_buffer(output.at, buffer.at);
      try {
        work(output);
        return this.bytes(buffer.bytes, buffer.size).slice();
      } finally {
        this.tm_buffer_release(buffer);
      }
    });
  }

  /** A line that a function of the kind of snprintf writes. */
  line(name, before, after = []) {
    return this.scope(() => {
      const at = this.alloc(1024);
      this[name](...before, at, 1024, ...after);
      return this.text(at);
    });
  }

  error(at) {
    const error = this.at("tm_error", at);
    return new TeemapError(this.line("tm_error_format", [error]), {
      code: this.tm_status_name(error.code), side: this.tm_side_name(error.side), place: error.place,
      offset: error.offset < 0 ? null : error.offset, reason: error.text,
    });
  }

  /** The module crashed and its memory is unusable. The next map gets a new module. */
  crashed(crash, name) {
    if (!(crash instanceof WebAssembly.RuntimeError || crash instanceof RangeError)) return crash;
    this.dead = true;
    return new TeemapError(`the module crashed in ${name}: ${crash.message}`, { code: "crash" });
  }

  // ------------------------------------------------------------------------------- what calls may take

  /** A tm_job that ends work as the call at hand is limited. It lives as long as the module, as do maps that hold its flag. */
  get job() {
    if (!this.standing) {
      this.handles.set(++this.last, this);
      this.standing = this.make("tm_job", { progress: this.function("teemap_progress"), progress_ctx: this.last });
      this.kept.pop();
      const flag = this.make("tm_cancel", { ask: this.function("teemap_ask"), ask_ctx: this.last });
      this.kept.pop();
      this.standing.cancel = flag.at;
    }
    return this.standing;
  }

  /** Runs work that ends early where timeout, signal or progress say so. Inside of such work, those of the outer one count. */
  limited(limits, work) {
    if (this.watch || !limits || !(limits.timeout || limits.signal || limits.progress)) return work();
    const watch = this.watch = new Watch(limits);
    try {
      watch.tell(0, 1);
      if (watch.late()) throw watch.reason;
      const value = work();
      watch.end();
      return value;
    } catch (error) {
      throw watch.reason ?? error;
    } finally {
      this.watch = null;
    }
  }

  teemap_ask() { return Boolean(this.watch?.late()); }
  teemap_progress(done, total) { this.watch?.tell(done, total); }

  // ------------------------------------------------------------------------------------------- the way back

  /** A number by which functions that the library calls find an object; work(number). */
  holding(object, work) {
    const number = ++this.last;
    this.handles.set(number, object);
    try {
      return work(number);
    } finally {
      this.handles.delete(number);
    }
  }

  /** Handles a call from the library: the object of the first argument answers. Its exceptions are thrown to the caller of the library. */
  answer(name, signature, given) {
    const values = signature.slice(1).map((code, i) => this.value(code, given[i]));
    try {
      const value = this.handles.get(values[0])[name](...values.slice(1));
      return signature[0] === "t" ? value ?? 0 : signature[0] === "b" ? value !== false : undefined;
    } catch (reason) {
      this.trouble ??= { reason };
      return signature[0] === "t" ? C.TM_ERROR_CANCELLED : 0;
    }
  }

  /** The address of a function: one of those that answer, or free. */
  function(name) { return this.exports.teemap_function(CALLBACKS[name]) >>> 0; }

  /** Bytes for the library, in memory of its allocator. */
  handOver(bytes, allocator, to, size) {
    const at = this.tm_alloc(allocator, Math.max(1, bytes.length));
    if (!at) return C.TM_ERROR_MEMORY;
    this.bytes(at, bytes.length).set(bytes);
    this.set(to, "p", at);
    if (size) this.set(size, "u", bytes.length);
    return C.TM_OK;
  }
}

// -------------------------------------------------------------------------------------------------- loading

let compiled = null;
let library = null;

async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof Response_ || source instanceof ArrayBuffer || ArrayBuffer.isView(source))
    return WebAssembly.compile(source instanceof Response_ ? await source.arrayBuffer() : source);
  const url = new URL(source, globalThis.location?.href);
  if (url.protocol === "file:" && typeof process === "object") {
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:fs/promises");
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new TeemapError(`${url}: ${response.status} ${response.statusText}`, { code: "io", side: "input" });
  return WebAssembly.compile(await response.arrayBuffer());
}
const Response_ = typeof Response === "undefined" ? class {} : Response;

// A module with a vector: where it is valid, the one that draws with vectors is taken.
const VECTOR = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11);
const beside = () => WebAssembly.validate(VECTOR) ? new URL("@NAME@.simd.wasm", import.meta.url) : new URL("@NAME@.wasm", import.meta.url);

/** Loads the module, once; maps do so themselves. `source`: its address, its bytes or a compiled module, for other places than beside. */
export async function init(source = beside()) {
  compiled ??= compile(source).catch((error) => { compiled = null; throw error; });
  const module = await compiled;
  if (!library || library.dead) {
    const made = await Library.of(module);
    if (!library || library.dead) library = made;
  }
  return library;
}

/** Frees the module's memory. Existing maps, patches and renderers cannot be used afterwards. */
export function reset() { library = null; }

/** How many bytes the module's memory has. It grows, and never shrinks but by reset(). */
export function memorySize() { return library ? library.memory.buffer.byteLength : 0; }

/** The version of the library. */
export async function version() { return (await init()).tm_version(); }
