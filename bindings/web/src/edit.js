// SPDX-License-Identifier: Zlib
// Operations on maps: those of the library's table, as methods and as text. OPERATIONS is written by make_modules.py.
import { ownValue } from "./images.js";
import { readFindings } from "./results.js";
import { init, limitsOf } from "./wasm.js";

/** Runs work that fills a report: what was done, and what could not be done. */
export function collectReport(library, work) {
  return library.scope(() => {
    const report = library.make("tm_report");
    library.tm_report_init(report, 0);
    try {
      work(report);
      return {
        changes: Array.from({ length: report.num }, (_, i) => {
          const { operation, text, address, place, count, lost } = library.item("tm_change", report.list, i);
          return { operation, text, address, place, count, lost: lost ? library.tm_finding_name(lost) : null };
        }),
        findings: readFindings(library, report.findings),
      };
    } finally {
      if (!library.dead) library.tm_report_release(report);
    }
  });
}

/** The files, maps and rules that operations read, by the names that the caller gave them. */
export class Inputs {
  constructor(map, { files = {}, rules } = {}) {
    this.map = map;
    this.library = map._library;
    this.rules = rules;
    this.given = new Map(Object.entries(files));
  }
  /** The name by which an operation asks for something. */
  name(given) {
    if (typeof given === "string") return given;
    const name = `memory:${this.given.size}`;
    this.given.set(name, given);
    return name;
  }
  fail(error, text) { return this.library.exports.tm_error_set(error, C.TM_ERROR_NOT_FOUND, this.library.string(text)); }
  teemap_image(...given) { return this.map._pictures.teemap_image(...given); }
  teemap_read(name, allocator, bytes, size, error) {
    const found = this.given.get(name);
    if (!found) return this.library.scope(() => this.fail(error, `'${name}' was not handed over`));
    return this.library.handOver(typeof found === "string" ? new TextEncoder().encode(found) : found, allocator, bytes, size);
  }
  teemap_open(name, map, error) {
    const found = this.given.get(name);
    if (!found?._at) return this.library.scope(() => this.fail(error, `the map '${name}' was not handed over`));
    this.library.set(map, "p", this.library.take("p", "tm_map_clone", found._at));
    return C.TM_OK;
  }
  teemap_rules(image, game, allocator, bytes, size, error) {
    const found = typeof this.rules === "function" ? this.rules(image) : ownValue(this.rules, image);
    if (!found) return this.library.scope(() => this.fail(error, "there are no rules for this image"));
    return this.library.handOver(typeof found === "string" ? new TextEncoder().encode(found) : found, allocator, bytes, size);
  }
}

function word(value, kind, inputs) {
  if (kind === "file" || kind === "map") return inputs.name(value);
  if (typeof value === "object" && typeof value?.address === "string") return value.address;
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (Array.isArray(value) && value.every(Number.isInteger)) {
    const [x, y, width, height] = value;
    if (kind === "size" && value.length === 2) return `${x}x${y}`;
    if (kind === "region" && value.length === 4) return `${x},${y}+${width}x${height}`;
    if ((kind === "point" || kind === "pixels") && value.length === 2) return `${x},${y}`;
  }
  throw new TypeError(`${JSON.stringify(value)} is no ${kind}`);
}

/** The words of an operation, of arguments by their names. */
function words([name, , known], given, inputs) {
  for (const key of Object.keys(given))
    if (!known.some(([one]) => one === key)) throw new TypeError(`${name}() has no argument '${key}': ${known.map(([one]) => one).join(", ") || "it takes none"}`);
  return known.flatMap(([key, kind, optional, repeats, front]) => {
    const value = given[key];
    if (value === undefined || value === null || (kind === "flag" && value === false)) {
      if (!optional) throw new TypeError(`${name}() needs '${key}'`);
      return [];
    }
    if (kind === "flag") return [front];
    const pair = Array.isArray(value) && ["point", "pixels"].includes(kind) && typeof value[0] === "number";
    const several = repeats && Array.isArray(value) && !pair ? value : [value];
    return [...(front ? [front] : []), ...several.map((one) => word(one, kind, inputs))];
  });
}

/** Operations on a map. Each is done as a whole or not at all, and returns a report. */
export class Editor {
  constructor(map, options) { Object.assign(this, { _map: map, _options: options }); }

  /** The same with files and other maps by name, rules of automappers by image, another draw; with timeout, signal, progress. */
  using(options) { return new Editor(this._map, { ...this._options, ...options }); }

  /** Runs operations as text, one a line. $NAME in it stands for the variable of this name. All or none. */
  run(script, variables = {}) {
    const library = this._map._library;
    return library.scope(() => {
      const text = new TextEncoder().encode(script);
      const defines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
      const made = library.take("p", "tm_edit_script_from_template", library.put(text, 1), text.length, library.texts(defines), defines.length, 0);
      try {
        return this._do(new Inputs(this._map, this._options), (at, options, report) => library.tm_edit_script_run(at, made, options, report));
      } finally {
        if (!library.dead) library.tm_edit_script_free(made);
      }
    });
  }

  _run(operation, given = {}) {
    const library = this._map._library;
    const inputs = new Inputs(this._map, this._options);
    return library.scope(() => {
      const list = words(operation, given, inputs);
      return this._do(inputs, (at, options, report) =>
        library.tm_edit_run(at, library.tm_edit_find(operation[1]), library.texts(list), list.length, options, report));
    });
  }

  _do(inputs, run) {
    const library = this._map._library;
    const change = (number, report) => this._map._changed((at) => run(at, library.make("tm_edit_options", {
      images: library.function("teemap_image"), images_ctx: number, ctx: number, read: library.function("teemap_read"),
      open: library.function("teemap_open"), rules: library.function("teemap_rules"), draw: this._options?.draw ?? 0, job: library.job.at,
    }), report));
    return library.limited(limitsOf(this._map.limits, this._options), () =>
      collectReport(library, (report) => library.holding(inputs, (number) => change(number, report))));
  }
}

for (const operation of OPERATIONS)
  Object.defineProperty(Editor.prototype, operation[0], { value(given) { return this._run(operation, given); } });

/** The operations by their names in JavaScript: their names as text and their arguments, to make forms of. */
export const operations = Object.fromEntries(OPERATIONS.map(([name, text, list]) => [name, {
  name: text, arguments: list.map(([key, kind, optional, repeats, front, choices]) =>
    ({ name: key, kind, optional: optional === 1, repeats: repeats === 1, choices, help: kind === "flag" ? front : KINDS[kind] })),
}]));

/** The help of an operation: what it does, an example, and what its words mean. */
export async function operationHelp(name) {
  const library = await init();
  const { help, example, details: more } = library.at("tm_edit_operation", library.tm_edit_find(operations[name].name));
  return { help, example, more };
}

/** A word of a script as it is written there; `shell`: as shells read it. */
function quoted(text, shell) {
  if (/^[\w.,@%:/=-][\w.,@%:/=+-]*$/.test(text)) return text;
  if (!text.includes("'")) return `'${text}'`;
  return shell ? `'${text.replaceAll("'", "'\\''")}'` : `"${text.replace(/["\\]/g, "\\$&").replaceAll("$", "$$$$")}"`;
}

/** An operation with its arguments, given as for the methods of map.edit, as a line of a script; `shell`: as words behind `teemap edit`. */
export function operationLine(name, given = {}, { shell = false } = {}) {
  const inputs = { name: (one) => { if (typeof one === "string") return one; throw new TypeError("a line needs names of files"); } };
  return [operations[name].name, ...words(OPERATIONS.find(([one]) => one === name), given, inputs).map((one) => quoted(one, shell))].join(" ");
}
