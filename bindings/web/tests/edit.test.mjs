// SPDX-License-Identifier: Zlib
// Every operation of the table: as a method, as text, and by the command line of this machine, with the same bytes.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import test from "node:test";
import { images, madeMap, native, scratch, teemap } from "./support.mjs";

const { Map, operations, writePng } = teemap;
const logo = await writePng({ data: new Uint8ClampedArray(32 * 16 * 4).map((_, i) => (i % 4 === 3 ? 255 : (i >> 5) * 8)), width: 32, height: 16 });
// Three pages of Ogg: the head of an Opus stream, its comments, and a sound.
const page = (flag, text) => `OggS\0${flag}${"\0".repeat(20)}\x01${String.fromCharCode(text.length)}${text}`;
const opus = Uint8Array.from(page("\x02", "OpusHead\x01\x02\0\0\x80\xbb\0\0\0\0\0") + page("\0", "OpusTags\0\0\0\0\0\0\0\0") + page("\x04", "sound"), (one) => one.charCodeAt(0));
const files = { "logo.png": logo, "bird.opus": opus, "server.cfg": "sv_team 1\ntune gravity 1\n",
  "walls.rules": "[Basic]\nIndex 1\n\n[Other]\nIndex 2\nRandom 2\n" };

// What comes first to have something to work on, the arguments, and the same as text.
const quads = "add quad 0/1 320,64 128x96\nadd quad 0/1 0,0 64x64\n";
const rows = {
  set: ["", { assignment: ["Game/*.detail=false", "info.author=Anna"] }, "Game/*.detail=false info.author=Anna"],
  rename: ["", { address: "0", name: "Sky" }, "0 Sky"],
  settingsAdd: ["", { command: "tune gravity 0.4" }, "'tune gravity 0.4'"],
  settingsRemove: ["settings add 'tune gravity 1'\n", { pattern: ["tune*", "x"] }, "tune* x"],
  settingsReplace: ["settings add 'sv_teams 1'\n", { pattern: "sv_team*", command: "sv_team 1" }, "sv_team* 'sv_team 1'"],
  settingsSort: ["", {}, ""],
  settingsClear: ["", {}, ""],
  settingsFrom: ["", { file: "server.cfg", way: "new" }, "server.cfg new"],
  addImage: ["", { name: "walls", file: logo }, "walls logo.png"],
  addSound: ["", { name: "bird", file: "bird.opus" }, "bird bird.opus"],
  addEnvelope: ["", { way: "color", name: "Blink" }, "color Blink"],
  addGroup: ["", { name: "Sky" }, "Sky"],
  addLayer: ["", { group: "Game", kind: "tiles", size: [50, 30] }, "Game tiles 50x30"],
  addPoint: ["", { envelope: "envelope/color", ms: 500, value: ["1", "0.5", "0", "1"] }, "envelope/color 500 1 0.5 0 1"],
  addQuad: ["", { layer: "0/1", at: [320, 64], size: [128, 96] }, "0/1 320,64 128x96"],
  addSource: ["", { layer: "0/2", at: "320,64" }, "0/2 320,64"],
  remove: ["", { address: ["0/1", "image/own"] }, "0/1 image/own"],
  move: ["", { address: "Game/Front", place: "Game/0" }, "Game/Front Game/0"],
  duplicate: ["", { address: "0", place: "end" }, "0 end"],
  isolate: ["", {}, ""],
  cleanAll: ["", {}, ""], cleanLayers: ["", {}, ""], cleanGroups: ["", {}, ""], cleanEnvelopes: ["", {}, ""], cleanImages: ["", {}, ""],
  cleanSounds: ["", {}, ""], cleanQuads: [quads, { layers: "0" }, "0"],
  joinAll: ["", {}, ""], joinImages: ["", {}, ""], joinSounds: ["", {}, ""], joinEnvelopes: ["", {}, ""],
  optimize: ["", {}, ""], optimizeImages: ["", {}, ""], optimizeColors: ["", {}, ""],
  mirror: ["", { way: "x" }, "x"],
  rotate: ["", { way: "90", layers: "design" }, "90 design"],
  shift: ["", { at: [5, -3], way: "wrap" }, "5,-3 wrap"],
  crop: ["", { region: [1, 2, 30, 20] }, "1,2+30x20"],
  extend: ["", { way: "left", tiles: 20, how: "edge" }, "left 20 edge"],
  scale: ["", { way: "2" }, "2"],
  trim: ["", { layers: "design" }, "design"],
  shrink: ["", {}, ""],
  opaque: ["", { layers: "design" }, "design"],
  automap: ["", { layers: "0/0", config: "Basic", seed: 3 }, "0/0 Basic 3"],
  automapBy: ["", { file: "walls.rules", layers: "0/0", config: "Other", seed: 7 }, "walls.rules 0/0 Other 7"],
  fill: ["", { layers: "Game/Front@10,20+5x5", tile: "freeze", where: "air" }, "Game/Front@10,20+5x5 freeze where air"],
  clear: ["", { layers: "game", where: "solid" }, "game where solid"],
  replace: ["fill game freeze where air\n", { pattern: "freeze", tile: "unfreeze", layers: "Game" }, "freeze with unfreeze Game"],
  construct: ["", { tile: "freeze", layers: "front", pattern: "solid" }, "freeze front solid"],
  borders: ["", { tile: "solid", width: 4 }, "solid 4"],
  cleanTiles: ["", {}, ""],
  cleanUnread: ["", {}, ""],
  normalize: ["", { stoppers: true }, "stoppers"],
  migrateSpeedups: ["", {}, ""],
  zeroUnused: ["", {}, ""],
  joinPhysics: ["", { way: "merge" }, "merge"],
  renumber: ["fill tele@3,3+2x1 tele-in:5\n", { pool: "tele", change: "5..9+10" }, "tele 5..9+10"],
  swapNumbers: ["fill tele@3,3+2x1 tele-in:1\n", { pool: "tele", a: 1, b: 2 }, "tele 1 2"],
  envelopeScale: ["", { factor: 1.5, envelope: "envelope/color" }, "1.5 envelope/color"],
  envelopeShift: ["", { ms: 500, envelope: ["envelope/color", "envelope/sound"] }, "500 envelope/color envelope/sound"],
  envelopeReverse: ["", { envelope: "envelope/0" }, "envelope/0"],
  envelopeResample: ["", { ms: 50 }, "50"],
  envelopeSort: ["", {}, ""],
  envelopeSync: ["", { way: "off" }, "off"],
  dilate: ["", { image: "image/own" }, "image/own"],
  dilateCells: ["", { image: "image/own" }, "image/own"],
  blank: ["", { image: "image/own" }, "image/own"],
  blankColors: ["", { image: "image/own" }, "image/own"],
  resizeImages: ["", {}, ""],
  rgba: ["", {}, ""],
  embed: ["", { image: "image/own" }, "image/own"],
  external: ["", { image: "image/own" }, "image/own"],
  externalSizes: ["", {}, ""],
  externalSounds: ["", { sound: "sound/*" }, "sound/*"],
  replaceImage: ["", { image: "image/own", file: "logo.png" }, "image/own logo.png"],
  replaceSound: ["", { sound: "sound/silence", file: "bird.opus" }, "sound/silence bird.opus"],
  quadsAlign: [quads, { layers: "0" }, "0"],
  quadsSquare: [quads, { layers: "0/1@0,0+20x20" }, "0/1@0,0+20x20"],
  quadsAspect: [quads + "set 0/1.image=image/own\n", { layers: "0/1" }, "0/1"],
  quadsCenter: [quads, { layers: "0/1" }, "0/1"],
  quadsScale: [quads, { factor: "3/2", layers: "0" }, "3/2 0"],
  quadsTurn: [quads, { degrees: 45, layers: "0/1" }, "45 0/1"],
  quadsFront: [quads, { layers: "0/1@8,0+8x8" }, "0/1@8,0+8x8"],
  quadsBack: [quads, { layers: "0/1@8,0+8x8" }, "0/1@8,0+8x8"],
  quadsKnife: ["add quad 0/1 64,64 128x128\n", { layer: "0/1", quad: 1, at: [[80, 80], [160, 80], [80, 160], [160, 160]] }, "0/1 1 80,80 160,80 80,160 160,160"],
  quadsFrom: ["", { file: "logo.png", at: [10, 20], pixels: 8 }, "logo.png 10,20 8"],
  tilesFrom: ["", { file: "logo.png", at: [10, 20] }, "logo.png 10,20"],
  append: ["", { other: "other.map", layers: "design" }, "other.map design"],
  paste: ["", { other: "other.map", region: [0, 0, 10, 8], at: [10, 20], way: "keep" }, "other.map 0,0+10x8 10,20 keep"],
};

test("the table of this test has each operation", () => assert.deepEqual(Object.keys(rows).sort(), Object.keys(operations).sort()));

for (const [name, value] of Object.entries(files)) writeFileSync(scratch(name), value);
writeFileSync(scratch("other.map"), (await Map.create(30, 20)).save());
const other = await Map.load(readFileSync(scratch("other.map")));

for (const [name, [before, given, text]] of Object.entries(rows))
  test(`${operations[name]?.name} ${text}`, async () => {
    const [map, same] = [await Map.load(madeMap(), { images }), await Map.load(madeMap(), { images })];
    const more = { files: { ...files, "other.map": other }, rules: name === "automap" ? { grass_main: files["walls.rules"] } : {} };
    if (before) map.edit.run(before);
    const report = map.edit.using(more)[name](given);
    same.edit.using(more).run(`${before}${operations[name].name} ${text}`);
    assert.ok(Array.isArray(report.changes) && Array.isArray(report.findings));
    const bytes = Buffer.from(map.save());
    assert.ok(bytes.equals(Buffer.from(same.save())), "the method and the text do not do the same");
    if (Object.values(given).every((one) => !(one instanceof Uint8Array))) {
      const told = await Map.load(madeMap(), { images });
      told.edit.using(more).run(before + teemap.operationLine(name, given));
      assert.ok(bytes.equals(Buffer.from(told.save())), "operationLine tells something else");
    }
    if (name === "automap") return; // rules of an image come from elsewhere there
    writeFileSync(scratch("script"), `${before}${operations[name].name} ${text}\n`);
    native("edit", "-q", scratch("made.map"), "-o", "edited.map", "--script", "script");
    assert.ok(bytes.equals(readFileSync(scratch("edited.map"))), "the command line does not do the same");
  });

test("arguments are checked, and an operation is done as a whole or not at all", async () => {
  const map = await Map.load(madeMap());
  const wrong = [[() => map.edit.mirror(), TypeError], [() => map.edit.mirror({ way: "x", colour: 3 }), TypeError], [() => map.edit.crop({ region: [1, 2] }), TypeError],
    [() => map.edit.mirror({ way: "z" }), teemap.TeemapError], [() => map.edit.run("frobnicate"), teemap.TeemapError],
    [() => map.edit.run("rename 0 Sky\nremove 17/3"), teemap.TeemapError], [() => map.edit.addImage({ name: "a", file: "none.png" }), /'none.png' was not handed over/],
    [() => map.edit.append({ other: "none.map" }), /'none.map' was not handed over/], [() => map.edit.addImage({ name: "a", file: new Uint8Array(3) }), teemap.TeemapError]];
  for (const [work, error] of wrong) assert.throws(work, error);
  assert.ok(Buffer.from(map.save()).equals(madeMap()));
  const broken = { rules() { throw new RangeError("mine"); } };
  assert.throws(() => map.automap({ layers: "0/0", config: "Basic", ...broken }), /mine/);
});

test("scripts have variables, objects are arguments, maps may be handed over", async () => {
  const map = await Map.load(madeMap());
  map.edit.run("rename $WHAT ${NAME}", { WHAT: 0, NAME: "Hills" });
  assert.equal(map.groups[0].name, "Hills");
  map.edit.rename({ address: map.groups[0], name: "Sky" });
  assert.equal(map.groups[0].name, "Sky");
  map.edit.append({ other: map.copy(), layers: "design" });
  assert.equal(map.groups.length > 2, true);
  const report = map.automap({ layers: "0/0", config: "Basic", seed: 1, rules: { grass_main: files["walls.rules"] } });
  const numbers = () => new Set(map.at("0/0").tiles.array.filter((_, i) => i % 4 === 0));
  assert.deepEqual([report.changes[0].count > 0, numbers()], [true, new Set([0, 1])]);
  map.automap({ layers: "0/0", config: "Other", seed: 1, file: new TextEncoder().encode("[Other]\nIndex 2\n") });
  assert.deepEqual(numbers(), new Set([0, 2]));
});

test("operations have help, and lines quote what shells would read", async () => {
  const { help, example } = await teemap.operationHelp("mirror");
  assert.match(help, /^mirror the whole map/);
  assert.equal(example, "mirror x");
  assert.deepEqual(operations.mirror.arguments[0].choices, ["x", "y"]);
  assert.match(operations.mirror.arguments[1].help, /set of layers/);
  assert.equal(teemap.operationLine("rename", { address: "0", name: "it's $5" }), `rename 0 "it's $$5"`);
  assert.equal(teemap.operationLine("rename", { address: "0", name: "it's $5" }, { shell: true }), `rename 0 'it'\\''s $5'`);
});

test("what is left of a damaged map is told, and saved as a whole file", async () => {
  const map = await Map.load(madeMap().subarray(0, -200), { mode: "salvage" });
  const { findings, counts } = map.rescue();
  assert.ok(findings.some(({ id }) => id === "object-lost" || id === "object-damaged"));
  assert.ok(counts["tile layers"].lost + counts["tile layers"].damaged > 0 && counts.layers.num === 9, JSON.stringify(counts));
  const saved = await Map.load(map.save({ rewrite: true }), { mode: "strict" });
  assert.deepEqual(saved.check("strict").filter(({ severity }) => severity === "error"), []);
});

test("conflicts say where they are in each map", async () => {
  const [base, ours, theirs] = await Promise.all([1, 2, 3].map(() => Map.load(madeMap())));
  ours.edit.run("fill game@5,5+2x2 freeze\nadd group Mine\nmove 2 0");
  theirs.edit.run("fill game@5,5+2x2 unhookable");
  const { conflicts: [one] } = teemap.merge(base, ours, theirs);
  assert.deepEqual([one.kind, one.base, one.ours, one.theirs], ["tiles", "1/0", "2/0", "1/0"]);
  assert.deepEqual(one.regions, [{ x: 5, y: 5, width: 2, height: 2, count: 4 }]);
  const { map, conflicts } = teemap.merge(base, ours, theirs, { resolve: { [one.ours]: "theirs" } });
  assert.equal(conflicts[0].open, false);
  assert.equal(map.at("2/0").tiles.at(5, 5).index, 3);
});
