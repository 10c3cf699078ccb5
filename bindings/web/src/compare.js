// SPDX-License-Identifier: Zlib
// What differs between maps, as patches; and maps that are brought together.
import { bytesOf } from "./images.js";
import { Owned, choose, collectFindings } from "./results.js";
import { collectReport } from "./edit.js";
import { init, limitMethods, limitsOf } from "./wasm.js";

export function addressText(library, address) { return library.line("tm_address_format", [address]); }

const regionsOf = (library, one) => Array.from({ length: one.num_regions }, (_, k) => {
  const { rect: { x, y, width, height }, num } = library.item("tm_region", one.regions, k);
  return { x, y, width, height, count: num };
});

/** The changes that turn one map into another. */
export class Patch extends Owned {
  constructor(library, at, before, unread = []) {
    super(library, at, "tm_patch_free", before);
    this._before = before;
    /** What differs in parts of the files that are not read, which no patch holds: findings, of diff() only. */
    this.unread = unread;
    this.limits = { ...before?.limits };
  }

  /** Reads what bytes() wrote, or teemap diff -o. */
  static async read(source) {
    const bytes = await bytesOf(source);
    const library = await init();
    return library.scope(() => new Patch(library, library.take("p", "tm_patch_read", library.put(bytes), bytes.length, 0)));
  }

  /** The whole patch as JSON in UTF-8. Reading it needs neither of the two maps. */
  bytes() { return this._library.written((output) => this._library.tm_patch_write(this._at, output)); }

  get length() { return this._library.tm_patch_num(this._at); }

  /** The list of changes. */
  get changes() { return Array.from({ length: this.length }, (_, i) => this._change(i)); }

  _change(i) {
    const library = this._library;
    return library.scope(() => {
      const one = library.make("tm_patch_change");
      library.tm_patch_at(one, this._at, i);
      const side = (is, address) => (is ? addressText(library, address) : null);
      return {
        kind: library.tm_change_kind_name(one.kind), text: library.line("tm_patch_change_format", [one]),
        before: side(one.in_before, one.before), after: side(one.in_after, one.after), name: one.name,
        field: one.field ? library.at("tm_field", one.field).name : null, count: one.num, regions: regionsOf(library, one), shift: [one.dx, one.dy],
      };
    });
  }

  /** Applies the patch to the old map, or to a similar one. With `partial`, changes that do not fit are left out and reported. */
  apply(map, { partial = false, ...own } = {}) {
    const library = this._library;
    return library.limited(limitsOf(map.limits, own), () => collectReport(library, (report) => map._changed((at) =>
      library.tm_patch_apply(at, this._at, library.make("tm_apply_options", { partial }), report))));
  }

  /** The patch in the other direction: from the new map to the old one. */
  inverted() { return new Patch(this._library, this._library.take("p", "tm_patch_invert", this._at)); }

  /** A part of it: words like "tiles", "physics", "2/3"; a region [x, y, width, height] of tiles; what changes the race. */
  filtered(words, { region, race = false } = {}) {
    const library = this._library;
    return library.scope(() => {
      const options = library.make("tm_filter_options", { words, race, before: race && this._before ? this._before._at : 0 });
      if (region) [options.region.x, options.region.y, options.region.width, options.region.height] = region;
      return new Patch(library, library.take("p", "tm_patch_filter", this._at, options), this._before?.copy());
    });
  }

  /** Combines two patches between the same maps. */
  union(other) { return new Patch(this._library, this._library.take("p", "tm_patch_union", this._at, other._at), this._before?.copy()); }
}

/** The changes that turn one map into another. */
export function diff(before, after, limits) {
  const library = before._library;
  return library.limited(limitsOf(before.limits, limits), () => {
    const unread = collectFindings(library, (findings) => library.tm_mapfile_report_unread(findings, before._at, after._at, 0));
    return new Patch(library, library.take("p", "tm_patch_make", before._at, after._at, 0), before.copy(), unread);
  });
}

const RESOLUTIONS = ["unresolved", "ours", "theirs", "both"];

/** Merges two versions of one map. `base` is null if there is none. resolve: { physics: "ours" } settles conflicts by patterns. */
export function merge(base, ours, theirs, { resolve = {}, mark = false, ...own } = {}) {
  const library = ours._library;
  return library.limited(limitsOf(ours.limits, own), () => library.scope(() => {
    const rules = Object.entries(resolve).map(([words, way]) => ({ words, resolution: choose(RESOLUTIONS, way, "resolution") }));
    const options = library.make("tm_merge_options", { rules: library.list("tm_merge_rule", rules), num_rules: rules.length, mark });
    const out = library.alloc(8);
    const report = collectReport(library, (list) => {
      library.tm_map_merge(out, out + 4, base ? base._at : 0, ours._at, theirs._at, options, list);
      try {
        library.tm_mapfile_report_left_out(0, 0, list.findings, library.get(out, "u"), base ? base._at : 0, ours._at, theirs._at, 0);
      } catch (error) {
        if (!library.dead) {
          library.tm_map_free(library.get(out, "u"));
          library.tm_conflicts_free(library.get(out + 4, "u"));
        }
        throw error;
      }
    });
    const found = library.get(out + 4, "u");
    try {
      const map = ours._twin(library.get(out, "u"));
      const conflicts = Array.from({ length: library.tm_conflicts_num(found) }, (_, i) => {
        const one = library.make("tm_conflict");
        library.tm_conflicts_at(one, found, i);
        const [base, ...sides] = one.address.map((address, k) => (one.there[k] ? addressText(library, address) : null));
        return {
          kind: library.tm_conflict_kind_name(one.kind), text: library.line("tm_conflict_format", [one]), resolution: RESOLUTIONS[one.resolution],
          open: one.open, name: one.name, address: one.in_merged ? addressText(library, one.merged) : null, base, ours: sides[0], theirs: sides[1],
          regions: regionsOf(library, one), shift: [one.dx, one.dy],
        };
      });
      return { map, conflicts, report };
    } finally {
      library.tm_conflicts_free(found);
    }
  }));
}
