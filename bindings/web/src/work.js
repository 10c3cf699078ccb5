// SPDX-License-Identifier: Zlib
// Work on maps: saving, checking, linting, finding, changing, converting, counting.
import { checkSignal, init, limitMethods, limitsOf } from "./wasm.js";
import { Inputs, Editor, collectReport } from "./edit.js";
import { addressText, diff, merge } from "./compare.js";
import { MODES, PlainMap } from "./map.js";
import { defineObjects } from "./objects.js";
import { Images, fetchImage } from "./images.js";
import { choose, collectFindings, findingAt } from "./results.js";
import { UpdatedRenderer } from "./update.js";
import { ownersOf, rowsOf } from "./rows.js";

const GAMES = ["ddnet", "teeworlds06", "teeworlds07"];
const WAYS = ["embed", "rename", "keep"];
const SEVERITIES = { note: 1, warning: 2, error: 3 };

/** Writes a picture as PNG. */
export async function writePng({ data, width, height }) {
  const library = await init();
  if (data.length !== width * height * 4) throw new TypeError(`a picture of ${width} x ${height} has ${width * height * 4} bytes`);
  return library.written((output) => library.tm_png_write(output, library.put(data), width, height, 0));
}

/** Opens a file as the strictest loader does, and adds its findings. Returns why it refuses the file, as an error; null: it opens it. */
function loadStrictly(library, bytes, findings) {
  return library.scope(() => {
    const input = library.make("tm_input");
    library.exports.tm_input_from_memory(input.at, library.put(bytes), bytes.length);
    try {
      const mode = choose(MODES, "strict", "mode");
      library.tm_map_free(library.take("p", "tm_mapfile_load", input, library.make("tm_mapfile_options", { mode }), findings));
      return null;
    } catch (error) {
      if (error.code === "limit") return null; // of this program, not of the game
      if (error.code !== "damaged" && error.code !== "unsupported") throw error;
      return error;
    }
  });
}

/** The finding that DDNet refuses a file, with the reason and its place; null: it opens it. */
function verdict(library, bytes) {
  let refusal;
  const findings = collectFindings(library, (list) => { refusal = loadStrictly(library, bytes, list); });
  if (!refusal) return null;
  const { address = "", place = "", offset = null } = findings.find((one) => one.refused) ?? {};
  return { id: "not-for-ddnet", severity: "error", refused: false, address, place, offset, count: 1,
    text: `DDNet 20.1 refuses the file: ${refusal.reason}` };
}

export class TeemapMap extends PlainMap {
  /** A map with a game layer of this size, in tiles; without a size an empty one: no group, no layer. */
  static async create(width = 0, height = 0, game = "ddnet") {
    const library = await init();
    defineObjects(library);
    const map = library.scope(() => new this(library, library.take("p", "tm_map_new", library.make("tm_map_options", { game: choose(GAMES, game, "game") }))));
    if (width && height) {
      map.edit.addGroup({ name: "Game" });
      map.edit.addLayer({ group: "0", kind: "game", size: [width, height] });
    }
    return map;
  }

  renderer(options) { return new UpdatedRenderer(this, options); }

  /** A map of the module that is made of others, with the pictures of this one. */
  _twin(at) {
    const made = new this.constructor(this._library, at);
    made._pictures.given = new Map(this._pictures.given);
    made.limits = { ...this.limits };
    return made;
  }

  /** Calls a function with the map to change. A call that may end early changes a copy, which takes the map's place when all is done. */
  _changed(work) {
    const library = this._library;
    if (!library.watch) return work(this._at);
    const copy = library.take("p", "tm_map_clone", this._at);
    try {
      library.tm_map_set_cancel(copy, library.job.cancel);
      const result = work(copy);
      library.watch.end();
      library.tm_map_swap(this._at, copy);
      return result;
    } finally {
      if (!library.dead) library.tm_map_free(copy);
    }
  }

  // ------------------------------------------------------------------------------------------------- saving

  /**
   * The file of the map. What was not changed is saved as it was, to the byte. What the map's game cannot hold are findings in `lost`;
   * `refusal` is the finding that DDNet 20.1, the strictest game, refuses the file, or null. Options: level (1 to 12), recompress, smaller,
   * layOut, rewrite.
   */
  save(options) {
    const bytes = this._bytes(options);
    this.refusal = verdict(this._library, bytes);
    return bytes;
  }

  _bytes({ level = 0, recompress = false, smaller = false, layOut = false, rewrite = false } = {}) {
    const library = this._library;
    let bytes;
    this.lost = collectFindings(library, (findings) => {
      bytes = library.written((output) => library.tm_mapfile_save(this._at, output, library.make("tm_mapfile_save_options",
        { level, recompress: recompress || smaller, smaller, lay_out: layOut, rewrite }), library.job, findings));
    });
    return bytes;
  }

  /** The file as small as packing makes it. */
  packed(options) { return this.save({ ...options, level: 12, smaller: true, layOut: true }); }

  // ----------------------------------------------------------------------------------------------- checking

  /**
   * What the loader of a game would say of the map as it is now: "strict" is DDNet 20.1, "game" the most forgiving. most: findings that are
   * listed; a twentieth of them for each id, but 50.
   */
  check(mode = "strict", { most = 1000 } = {}) {
    const library = this._library;
    const forgive = (error) => { if (error.code !== "damaged") throw error; };
    return collectFindings(library, (findings) => library.tm_mapfile_check(this._at, choose(MODES, mode, "mode"), library.job, findings), { most, forgive });
  }

  /**
   * Would one release this map? `sets`: "ddnet,style", else those that suit it; choices: { "no-*": "off" }; config: texts like
   * .teemap.toml by path; most: findings of a rule that are listed; apart: each object is one; rules: of automappers, by image. That
   * DDNet's loader refuses the map is the finding not-for-ddnet; verdict: false does without it, for which the map is packed and loaded.
   */
  lint({ sets, choices = {}, config = {}, most = 0, apart = false, rules, verdict = true } = {}) {
    const library = this._library;
    const inputs = new Inputs(this, { rules });
    return library.scope(() => library.holding(inputs, (number) => {
      const wanted = library.alloc(4);
      if (sets !== undefined && !library.tm_lint_sets_from_text(wanted, sets)) throw new TypeError(`'${sets}' are no sets of rules`);
      const chosen = Object.entries(choices).map(([name, what]) => {
        if (!(what in SEVERITIES)) choose(["off", "on"], what, "choice");
        return { name, severity: SEVERITIES[what] ?? 0, off: what === "off", on: what === "on" };
      });
      const read = library.take("p", "tm_lint_config_new", 0);
      const result = library.make("tm_lint_result"), refusals = library.make("tm_findings");
      library.tm_findings_init(refusals, 0, 0);
      try {
        if (verdict) loadStrictly(library, library.written((output) => library.tm_mapfile_save(this._at, output, 0, library.job, 0)), refusals);
        for (const [path, text] of Object.entries(config)) {
          const bytes = new TextEncoder().encode(text);
          library.tm_lint_config_add(read, path, library.put(bytes, 1), bytes.length);
        }
        library.tm_lint_run(result, this._at, library.make("tm_lint_options", {
          sets: library.get(wanted, "u"), choices: library.list("tm_lint_choice", chosen), num_choices: chosen.length, config: read,
          path: this.path, most, apart, job: library.job.at, rules: library.function("teemap_rules"), rules_ctx: number, file_size: this.fileSize,
          refusals: refusals.at,
        }));
        return this._lint(result);
      } finally {
        if (!library.dead) {
          library.tm_findings_release(refusals);
          library.tm_lint_result_release(result);
          library.tm_lint_config_free(read);
        }
      }
    }));
  }

  _lint(result) {
    const library = this._library;
    const listOf = (name, i, one) => {
      const num = library.alloc(4);
      const list = library[name](num, result, i);
      return Array.from({ length: library.get(num, "u") }, (_, k) => one(list, k));
    };
    const said = (row) => {
      const { title, reason: why, advice: how, guess } = library.at("tm_lint_rule", row);
      return { title, why, how, guess };
    };
    const read = (findings, i, row) => ({ ...findingAt(library, findings, i), ...(row ? { id: library.tm_lint_rule_name(row), ...said(row) } : {}) });
    return {
      rules: Array.from({ length: C.TM_LINT_SETS }, (_, bit) => bit).filter((bit) => result.sets >>> bit & 1)
        .map((bit) => library.tm_lint_set_name((1 << bit) >>> 0)),
      findings: Array.from({ length: result.findings.num }, (_, i) => ({
        ...read(result.findings, i, library.tm_lint_rule_for(result, i)),
        places: listOf("tm_lint_places", i, (list, k) => {
          const { rect: { x, y, width, height }, num } = library.item("tm_region", list, k);
          return { x, y, width, height, count: num };
        }),
        objects: listOf("tm_lint_objects", i, (list, k) => addressText(library, library.item("tm_address", list, k))),
        fix: library.tm_lint_fix_line(result, i) || null,
      })),
      ignored: Array.from({ length: result.ignored.num }, (_, i) => read(result.ignored, i, library.tm_lint_rule_for_ignored(result, i))),
    };
  }

  /**
   * For a damaged map, loaded in mode "salvage": counts objects of each kind, also damaged and lost ones, and returns a finding for each that
   * is not whole. It removes lost quads and sources. Save with rewrite.
   */
  rescue() {
    const library = this._library;
    return library.scope(() => {
      const rescue = library.make("tm_rescue");
      const findings = collectFindings(library, (list) => this._changed((at) => library.tm_mapfile_rescue(rescue, at, library.job, list)));
      const counts = rescue.counts.map(({ num, damaged, lost }, kind) => [library.tm_rescue_kind_name(kind), { num, damaged, lost }]);
      return { findings, counts: Object.fromEntries(counts) };
    });
  }

  // ------------------------------------------------------------------------------------------------ finding

  /** All matches of these patterns: map.find("tele-in:5", "air where front/freeze"). layers, region: only these. */
  find(patterns, { layers, region } = {}) {
    const library = this._library;
    const texts = [patterns].flat();
    const matches = [];
    const seen = {
      teemap_match: (at) => {
        const { pattern, address, rect: { x, y, width, height }, count, text, field, index } = library.at("tm_match", at);
        matches.push({ pattern: texts[pattern], address: addressText(library, address), x, y, width, height, count, text, field, index });
        return !library.watch?.late();
      },
    };
    return library.scope(() => {
      const read = [];
      try {
        for (const text of texts) read.push(library.take("p", "tm_pattern_parse", text, 0));
        const options = library.make("tm_find_options");
        if (layers !== undefined) {
          options.layers = library.list("tm_layer_choice", Array(Math.max(1, library.tm_map_num_layers(this._at))).fill({}));
          library.tm_select_layers(options.layers, this._at, layers, C.TM_SELECT_ALL);
        }
        if (region) [options.region.x, options.region.y, options.region.width, options.region.height] = region;
        const list = library.alloc(4 * Math.max(1, read.length));
        read.forEach((at, i) => library.set(list + 4 * i, "p", at));
        library.holding(seen, (number) => library.tm_map_find(this._at, list, read.length, options, library.function("teemap_match"), number));
        return matches;
      } finally {
        if (!library.dead) for (const at of read) library.tm_pattern_free(at);
      }
    });
  }

  /**
   * The fields of an object, or of one of its elements ({ list: "quads", index: 3 }), as the table has them and `set` takes them: name, help, unit,
   * type, choices, min, max, refers and the value as text; read: whether it could be read.
   */
  fields(address, { list, index } = {}) {
    const object = this.at(address);
    const library = this._library;
    if (list === undefined) return ownersOf(object).flatMap((owner) => rowsOf(library, owner, object._at));
    const elements = object[list];
    return rowsOf(library, elements._owner, elements._place(index, elements._read()));
  }

  /**
   * What each of the 256 tiles of a layer of physics is to the game, by index: { id, title, pool, delays }; null if it does nothing there. pool:
   * the pool of its number ("tele", "checkpoint", "switch", "tune"), or null; delays: whether its delay does something. Null of other layers.
   */
  tileInfos(layer) {
    const library = this._library;
    const { kind, tiles } = layer;
    if (!tiles || kind === "tiles") return null;
    const mod = library.take("p", "tm_map_find_mod", 0, 0, this._at);
    const { game } = this._struct, { kind: number } = layer._struct;
    return Array.from({ length: 256 }, (_, index) => {
      const info = library.tm_mod_tile(mod, game, number, index);
      if (!info) return null;
      const { id, title, number: pool, delay } = library.at("tm_tile_info", info);
      const numbered = ["tele", "switch", "tune"].includes(kind);
      return { id, title, pool: (numbered && library.tm_number_pool_name(pool)) || null, delays: kind === "switch" && ![C.TM_DELAY_NONE, C.TM_DELAY_UNKNOWN].includes(delay) };
    });
  }

  // ----------------------------------------------------------------------------------------------- changing

  /** Operations: map.edit.mirror({ axis: "x" }), and as text: map.edit.run("mirror x"). */
  get edit() { return new Editor(this); }

  /** Applies a patch to the map. */
  patch(patch, options) { return patch.apply(this, options); }

  /** The changes that turn this map into another. */
  diff(other, options) { return diff(this, other, options); }

  /** Merges two versions of this map. */
  merge(ours, theirs, options) { return merge(this, ours, theirs, options); }

  /**
   * Makes the map one of another game. way: external images that the game does not have are put into the map ("embed"), renamed, or
   * left as they are ("keep"). shipped: pictures of the other game's images, of those `images` that loading takes. Save with rewrite.
   */
  async convert(to, { way = "embed", keepTiles = false, shipped, ...own } = {}) {
    const library = this._library;
    const limits = limitsOf(this.limits, own);
    const theirs = new Images(new Map());
    theirs.library = library;
    for (const { name, external } of shipped ? this.images : []) {
      checkSignal(limits.signal);
      const found = external ? await fetchImage(shipped, name, to) : null;
      if (found) theirs.given.set(name, found);
    }
    const run = (at, report) => library.holding(this._pictures, (ours) => library.holding(theirs, (other) =>
      library.tm_convert_run(at, library.make("tm_convert_options", {
        to: choose(GAMES, to, "game"), images: choose(WAYS, way, "way"), keep_tiles: keepTiles, provider: library.function("teemap_image"),
        provider_ctx: ours, shipped: library.function("teemap_image"), shipped_ctx: other, cancel: library.job.cancel,
      }), report)));
    return library.limited(limits, () => collectReport(library, (report) => this._changed((at) => run(at, report))));
  }

  /** Removes what is not used or not visible, and merges equal objects; images, colors: also the invisible parts of images. */
  optimize({ images = false, colors = false, ...own } = {}) {
    return this.edit.using(own).run(["optimize", ...(images ? ["optimize images"] : []), ...(colors ? ["optimize colors"] : [])].join("\n"));
  }

  /** Runs automappers on design layers: arguments as of edit.automap, or with `file` as of edit.automapBy; rules, draw: as of edit.using. */
  automap({ rules, draw, timeout, signal, progress, ...given } = {}) {
    const editor = this.edit.using({ rules, draw, timeout, signal, progress });
    return given.file === undefined ? editor.automap(given) : editor.automapBy(given);
  }

  // ----------------------------------------------------------------------------------------------- counting

  /** Where the bytes of the file are: of the map as it would be saved. */
  size() {
    const library = this._library;
    const shares = [];
    const seen = {
      teemap_share: (at) => {
        const { kind, object, packed, unpacked } = library.at("tm_bytes_share", at);
        shares.push({ kind: library.tm_bytes_name(kind), address: addressText(library, object), packed, unpacked });
      },
    };
    return this._saved((at) => {
      library.holding(seen, (number) => library.tm_mapfile_each_share(at, library.function("teemap_share"), number));
      return shares;
    });
  }

  /** Calls a function with the map as it would be loaded from its file. */
  _saved(work) {
    const library = this._library;
    return library.scope(() => {
      const bytes = this._bytes();
      const input = library.make("tm_input");
      library.exports.tm_input_from_memory(input.at, library.put(bytes), bytes.length);
      const findings = library.make("tm_findings");
      library.tm_findings_init(findings, 0, 0);
      let at = 0;
      try {
        at = library.take("p", "tm_mapfile_load", input, 0, findings);
        return work(at, input, findings);
      } finally {
        if (!library.dead) {
          library.tm_map_free(at);
          library.tm_findings_release(findings);
        }
      }
    });
  }

  /** The map as one flat row (docs/facts.md), of its file as it would be saved; what is not known is null. */
  facts() {
    const library = this._library;
    return this._saved((at, input, findings) => {
      const hashes = library.make("tm_hashes");
      library.tm_hash_input(hashes, input, 0);
      const file = library.make("tm_facts_file", { path: this.path || 0, file_size: hashes.size, hashes: hashes.at });
      const row = library.take("p", "tm_facts_make", at, findings, file, 0);
      try {
        const facts = {};
        for (let n = 0; library.tm_facts_column(n); n++)
          facts[library.at("tm_fact_column", library.tm_facts_column(n)).name] = this._fact(library.tm_facts_get(row, n));
        return facts;
      } finally {
        if (!library.dead) library.tm_facts_free(row);
      }
    });
  }

  _fact({ type, known, number, text, list, num }) {
    if (!known) return null;
    if (type === C.TM_FACT_NUMBER) return number;
    return type === C.TM_FACT_TEXT ? text : Array.from({ length: num }, (_, i) => this._library.get(list + 4 * i, "s"));
  }
}

limitMethods(TeemapMap, { save: 0, packed: 0, check: 1, lint: 0, rescue: 0, find: 1, size: 0, facts: 0 });
