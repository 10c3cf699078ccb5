// SPDX-License-Identifier: Zlib
// What the module makes of maps is what the library of this machine makes of them: pixels, saved bytes, findings, facts.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { corpus, crc32, hasGame, images, native, parse, plainViewer, portrait, scratch, teemap, viewer } from "./support.mjs";

const { Map } = teemap;
const skip = corpus.length ? false : "no corpus";
const plain = (value) => JSON.parse(JSON.stringify(value));

test("pictures and saved bytes have the checksums of this machine's", { skip }, async () => {
  for (const path of corpus) {
    const bytes = readFileSync(path);
    const [groups, layers, , view, saved] = portrait(path).split(" ");
    for (const kind of [Map, viewer.Map, plainViewer.Map]) {
      const map = await kind.load(bytes);
      const { width, height } = map.layers.find((layer) => layer.kind === "game") ?? { width: 50, height: 50 };
      const target = { data: new Uint8ClampedArray(480 * 320 * 4), width: 480, height: 320 };
      map.render(target, { view: [width / 2, height / 2], time: 1234, background: [0, 0, 0, 255] });
      assert.equal(crc32(target.data), view, path);
      assert.deepEqual([map.groups.length, map.layers.length].join(), [groups, layers].join(), path);
      if (kind === Map) assert.equal(crc32(map.save()), saved, path);
      map.free();
    }
  }
});

test("a picture with the game's images is the command line's, to the pixel", { skip: hasGame ? skip : "no ddnet-data" }, async () => {
  for (const path of corpus.filter((_, i) => i % 6 === 0)) {
    const map = await Map.load(readFileSync(path), { images });
    if (map.missing.length || map.game !== "ddnet" || !map.area.width) continue;
    native("render", "-q", path, "-o", "whole.rgba", "--background", "transparent", "-s", "600x400");
    assert.equal(crc32(map.renderer().picture(600, 400).data), crc32(readFileSync(scratch("whole.rgba"))), path);
    native("render", "-q", path, "-o", "view.rgba", "--layers", "design@70", "--background", "102030", "-s", "300x200", "--view", "best");
    const view = map.renderer({ layers: "design@70" }).picture(300, 200, { view: "best", background: [16, 32, 48, 255] });
    assert.equal(crc32(view.data), crc32(readFileSync(scratch("view.rgba"))), path);
    map.free();
  }
});

test("facts, lint, check and find say what the commands say as JSON", { skip }, async () => {
  for (const path of corpus) {
    const map = await Map.load(readFileSync(path), { path });
    const facts = parse(native("info", "--facts", path));
    assert.deepEqual({ ...plain(map.facts()), file_time: facts.file_time }, facts, path);

    // But for the rules that look at files of automappers, which this machine may have, and for what the strict loader says of a file, which a
    // map does not know.
    const theirs = parse(native("lint", "--json", "--no-config", "--ignore", "rules-missing,edited-after-mapping,not-for-ddnet", path));
    const lint = map.lint({ apart: true, choices: { "rules-missing": "off", "edited-after-mapping": "off", "not-for-ddnet": "off" } });
    assert.deepEqual(lint.rules, theirs.rules, path);
    const damage = plain(map.check("game", { most: 200000 })).filter(({ severity }) => severity === "error").map((finding) => ({ ...finding, places: [], fix: null }));
    assert.deepEqual([...damage, ...plain(lint.findings).map(({ title, why, how, guess, objects, ...finding }) => {
      assert.ok(title && why && how && typeof guess === "boolean" && Array.isArray(objects));
      return finding;
    })], theirs.findings.map(({ objects, ...finding }) => finding), path);

    const check = parse(native("check", "--json", "-m", "strict", path));
    if (!check.findings_unlisted) assert.deepEqual(plain(map.check("strict", { most: 200000 })), check.findings, path);

    const found = map.find("freeze");
    const list = parse(native("find", "--json", "freeze", path));
    assert.equal(found.reduce((sum, { count }) => sum + count, 0), (list.matches ?? []).reduce((sum, { count }) => sum + (count ?? 0), 0), path);
    map.free();
  }
});
