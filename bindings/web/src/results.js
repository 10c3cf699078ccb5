// SPDX-License-Identifier: Zlib
// Findings and reports as plain objects, in the form of the command line's JSON; and objects that hold memory of the module.
import { TeemapError } from "./wasm.js";

const forgotten = typeof FinalizationRegistry === "undefined" ? null : new FinalizationRegistry(({ library, name, at, more }) => {
  if (!library.dead) library.exports[name](at);
  more?.free();
});

/** Holds memory of the module until free() is called, or until nobody holds the object and the engine notices. */
export class Owned {
  constructor(library, at, name, more) {
    Object.defineProperties(this, { _library: { value: library }, _given: { value: { library, name, at, more }, writable: true } });
    forgotten?.register(this, this._given, this);
  }
  get _at() {
    if (!this._given) throw new TeemapError("it was given back by free()", { code: "usage", side: "usage" });
    if (this._library.dead) throw new TeemapError("the module crashed: load the map again", { code: "crash" });
    return this._given.at;
  }
  /** Gives the memory back. The object cannot be used any more. */
  free() {
    if (!this._given) return;
    const { library, name, at, more } = this._given;
    this._given = null;
    forgotten?.unregister(this);
    if (!library.dead) library[name](at);
    more?.free();
  }
}

export function choose(words, word, what) {
  const index = words.indexOf(word);
  if (index < 0) throw new TypeError(`'${word}' is no ${what}: use ${words.map((one) => `'${one}'`).join(" or ")}`);
  return index;
}

export function readFinding(library, one) {
  return {
    id: library.tm_finding_name(one.id), severity: library.tm_severity_name(one.severity), refused: one.refuses, address: one.address,
    place: one.place, offset: one.offset < 0 ? null : one.offset, count: one.count, text: one.text,
  };
}

/** The i-th one of a list of findings. */
export function findingAt(library, findings, i) {
  return readFinding(library, library.item("tm_finding", findings.list, i));
}

export function readFindings(library, findings) {
  return Array.from({ length: findings.num }, (_, i) => findingAt(library, findings, i));
}

/** Runs work that adds to a list of findings, and returns them. An exception goes to `forgive`, which may throw it again. */
export function collectFindings(library, work, { most = 0, forgive = (error) => { throw error; } } = {}) {
  return library.scope(() => {
    const findings = library.make("tm_findings");
    library.tm_findings_init(findings, most, 0);
    try {
      try {
        work(findings);
      } catch (error) {
        forgive(error);
      }
      return readFindings(library, findings);
    } finally {
      if (!library.dead) library.tm_findings_release(findings);
    }
  });
}
