// SPDX-License-Identifier: Zlib
// Maps, their objects, elements and pictures: every name that the package gives.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { deflateSync, inflateSync } from "node:zlib";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { PACKAGE, crc32, madeMap, native, parse, scratch, teemap, viewer } from "./support.mjs";

const { Map, Patch, Renderer, TeemapError, diff, merge, readPng, writePng } = teemap;
const load = () => Map.load(madeMap());

/** The error that work ends with. */
async function failure(work) {
  try {
    await work();
  } catch (error) {
    return error;
  }
  return assert.fail("it did not fail");
}

test("all that the declarations name is there, and all that is there is declared", async () => {
  const text = readFileSync(join(PACKAGE, "teemap.d.ts"), "utf8");
  const names = [...text.matchAll(/^export (?:class|function|const) (\w+)/gm)].map(([, name]) => name);
  const hidden = ["Elements", "Tiles"]; // reached by objects, and made by them alone
  assert.deepEqual(Object.keys(teemap).sort(), names.filter((name) => !hidden.includes(name)).sort());
  const map = await load();
  // Members stand at the begin of a line, or between semicolons of an interface on one line.
  const declared = (name) => [...text.matchAll(new RegExp(`^export (?:class|interface) ${name}\\b[^{\n]*\\{([^\n]*\\}$|\n.*?^\\})`, "gms"))]
    .flatMap(([, body]) => (body.includes("\n") ? body.split("\n").filter((line) => /^    [a-z]/.test(line)) : body.split(";")))
    .map((line) => /^\s*(?:static |readonly |get |set )*(\w+)\??\s*[(:<]/.exec(line)?.[1]).filter(Boolean);
  for (const [name, object, more] of [["Map", map, "MapFields"], ["Renderer", map.renderer()], ["Patch", map.diff(map)], ["Image", map.images[0], "ImageFields"],
    ["Sound", map.sounds[0], "SoundFields"], ["Envelope", map.envelopes[0], "EnvelopeFields"], ["Group", map.groups[0], "GroupFields"], ["Editor", map.edit, "Operations"]]) {
    const known = new Set([...declared(name), ...(more ? declared(more) : []), "map", "index", "address", "unread", "dropUnread", "toJSON", "constructor", "load", "create", "read"]);
    for (let of = Object.getPrototypeOf(object); of !== Object.prototype; of = Object.getPrototypeOf(of))
      for (const key of Object.getOwnPropertyNames(of))
        assert.ok(key.startsWith("_") || known.has(key), `${name}.${key} is not declared`);
    for (const key of [...(more ? declared(more) : []), ...declared(name)])
      assert.ok(key in object || key in object.constructor || ["lost", "refusal", "constructor"].includes(key), `${name}.${key} is declared, and not there`);
  }
  assert.deepEqual(Object.keys(viewer).filter((name) => !(name in teemap)), []);
});

test("what visitors fetch of a module stays small", () => {
  for (const [name, most] of [["viewer", 131_000], ["teemap", 450_000]])
    for (const wasm of [`${name}.wasm`, `${name}.simd.wasm`]) {
      const { length: bytes } = execFileSync("gzip", ["-9c", join(PACKAGE, wasm), join(PACKAGE, `${name}.js`)], { maxBuffer: 1 << 24 });
      assert.ok(bytes <= most, `${wasm} with its JavaScript has ${bytes} bytes, gzipped, and may have ${most}`);
    }
});

test("fields are read and written by the table", async () => {
  const map = await load();
  assert.equal(map.game, "ddnet");
  assert.deepEqual(map.area, { width: 60, height: 40 });
  assert.deepEqual(map.groups.map((group) => group.name), ["Back", "Game"]);
  const [back] = map.groups;
  assert.deepEqual([back.parallaxX, back.clipWidth, back.useClipping], [50, 1000, true]);
  back.parallaxX = 25;
  back.name = "Sky";
  assert.equal(map.at("Sky").parallaxX, 25);
  const walls = map.at("0/0");
  assert.deepEqual([walls.kind, walls.image.name, walls.colorEnvelope.address, walls.group.name], ["tiles", "grass_main", "envelope/0", "Sky"]);
  walls.color = [1, 2, 3, 4];
  assert.deepEqual(walls.color, [1, 2, 3, 4]);
  walls.color = "#ff8000cc";
  assert.deepEqual(walls.color, [255, 128, 0, 204]);
  walls.image = map.images[1];
  assert.equal(walls.image.name, "own");
  walls.image = null;
  assert.equal(walls.image, null);
  walls.image = "image/own";
  assert.equal(walls.image.index, 1);
  map.info.author = "Änna ☺";
  assert.equal(map.info.author, "Änna ☺");
  map.settings = ["sv_deepfly 1", "tune gravity 0.3"];
  map.envelopes[0].synchronized = false;
  const again = await Map.load(map.save());
  assert.deepEqual(again.settings, ["sv_deepfly 1", "tune gravity 0.3"]);
  assert.deepEqual([again.info.author, again.at("0/0").color, again.envelopes[0].synchronized], ["Änna ☺", [255, 128, 0, 204], false]);
  assert.deepEqual(again.at("info").toJSON().author, "Änna ☺");
  assert.equal(JSON.parse(JSON.stringify(again.groups[1])).name, "Game");
  assert.equal(again.at("").game, "ddnet");
});

test("what cannot be is an exception that says where and why", async () => {
  const map = await load();
  const wrong = await failure(() => { map.groups[0].parallaxX = 2 ** 40; });
  assert.ok(wrong instanceof TeemapError && wrong.code === "usage" && wrong.side === "usage" && /parallax/.test(wrong.message), wrong.message);
  assert.ok((await failure(() => { map.at("0/0").color = [1, 2]; })) instanceof TypeError);
  assert.ok((await failure(() => { map.at("0/0").width = 9; })) instanceof TeemapError);
  assert.equal((await failure(() => map.at("Nowhere"))).code, "not found");
  const cut = await failure(() => Map.load(madeMap().subarray(0, 60)));
  assert.deepEqual([cut.code, cut.side], ["damaged", "input"]);
  assert.ok((await failure(() => Map.load("x"))) instanceof TypeError);
  assert.ok((await failure(() => Map.load(madeMap(), { mode: "kind" }))) instanceof TypeError);
  const layer = map.at("1/5");
  map.edit.remove({ address: "1/5" });
  assert.equal((await failure(() => layer.name)).code, "not found");
  map.free();
  map.free();
  assert.match((await failure(() => map.groups)).message, /given back/);
});

test("tiles, quads, points and sources: as objects by the table, and as arrays over the memory", async () => {
  const map = await load();
  const { tiles } = map.at("Game/Game");
  assert.deepEqual([tiles.width, tiles.height, tiles.length, tiles.array.length], [60, 40, 2400, 9600]);
  tiles.put(3, 4, { index: 9, flags: 8 });
  assert.deepEqual(tiles.at(3, 4), { index: 9, flags: 8, skip: 0, reserved: 0 });
  assert.equal(tiles.array[(4 * 60 + 3) * 4], 9);
  tiles.edit()[0] = 5;
  assert.equal(tiles.get(0).index, 5);
  assert.equal([...tiles].length, 2400);
  assert.equal((await failure(() => tiles.at(60, 0))).code, "usage");
  assert.ok((await failure(() => tiles.set(0, { colour: 1 }))) instanceof TypeError);
  assert.deepEqual(Object.keys(map.at("1/1").tiles.get(0)), ["number", "type"]);
  const { tiles: fast } = map.at("1/2");
  fast.put(1, 1, { force: 10, maxSpeed: 20, type: 28, angle: -90 });
  assert.deepEqual(fast.at(1, 1), { force: 10, maxSpeed: 20, type: 28, pad: 0, angle: -90 });
  const { quads } = map.at("0/1");
  assert.equal(quads.array.length, 38);
  quads.set(0, { colorOffset: 7, positionEnvelope: 1 });
  const [quad] = quads;
  assert.deepEqual([quad.colorOffset, quad.positionEnvelope, quad.points.length, quad.colors.length], [7, 1, 5, 4]);
  quads.set(0, { points: quad.points.map(([x, y]) => [x + 1.5, y]) });
  assert.equal(quads.get(0).points[0][0], quad.points[0][0] + 1.5);
  const { sources } = map.at("0/2");
  sources.set(0, { falloff: 12, x: 64, y: -8.5 });
  assert.deepEqual([sources.get(0).falloff, sources.get(0).x, sources.get(0).y], [12, 64, -8.5]);
  const { points } = map.envelopes[0];
  assert.equal(points.length, 2);
  points.set(1, { values: [1, 0.5, 0, 1], curve: "smooth", time: 900 });
  assert.deepEqual([points.get(1).values, points.get(1).curve, points.get(1).time], [[1, 0.5, 0, 1], "smooth", 900]);
  const again = await Map.load(map.save());
  assert.deepEqual(again.at("1/0").tiles.at(3, 4).index, 9);
  assert.deepEqual(again.at("0/1").quads.get(0), quads.get(0));
  assert.deepEqual(again.envelopes[0].points.get(1).values, [1, 0.5, 0, 1]);
});

test("a view dies when the memory grows; the next one is alive, and copies stay", async () => {
  const map = await load();
  const { tiles } = map.at("Game/Game");
  const view = tiles.array;
  const copy = view.slice();
  const before = teemap.memorySize();
  for (const held = []; teemap.memorySize() === before;) held.push(await Map.create(1000, 1000));
  assert.deepEqual([view.length, copy.length, tiles.array], [0, 9600, copy]);
});

test("what is written to a map does not show in its copies", async () => {
  const map = await load();
  const copy = map.copy();
  map.at("1/0").tiles.put(1, 1, { index: 3 });
  map.info.author = "other";
  assert.deepEqual([copy.at("1/0").tiles.at(1, 1).index === 3, copy.info.author], [false, "teemap"]);
  map.free();
  assert.equal(copy.at("1/0").tiles.at(1, 1).skip, 0);
});

test("pixels and sounds", async () => {
  const map = await load();
  const own = map.images[1];
  assert.equal(own.pixels.length, own.width * own.height * 4);
  assert.deepEqual(own.rgba().data, new Uint8ClampedArray(own.pixels));
  assert.equal(map.images[0].rgba(), null);
  const picture = { data: new Uint8ClampedArray(8 * 4 * 4).fill(77), width: 8, height: 4 };
  const png = await writePng(picture);
  assert.deepEqual(await readPng(png), picture);
  assert.deepEqual(await viewer.readPng(new Blob([png])), picture);
  map.images[0].setPixels(picture);
  assert.deepEqual([map.images[0].external, map.images[0].width, map.images[0].pixels[5]], [false, 8, 77]);
  map.images[0].setPixels(null);
  assert.equal(map.images[0].external, true);
  assert.ok((await failure(() => map.images[0].setPixels({ ...picture, width: 9 }))) instanceof TypeError);
  assert.equal((await failure(() => readPng(new Uint8Array(9)))).code, "damaged");
  map.sounds[0].setData(new Uint8Array([1, 2, 3]));
  assert.deepEqual([...map.sounds[0].data], [1, 2, 3]);
  map.sounds[0].setData(null);
  assert.equal(map.sounds[0].data, null);
});

// Each form of PNG, with random bytes for pixels and filters; the library reads them in the operation `replace image`.
test("PNGs of all kinds are read as the library reads them", async () => {
  const map = await Map.load(madeMap());
  let seed = 1;
  const random = (num) => Buffer.from(Array.from({ length: num }, () => (seed = Math.imul(seed, 48271) % 2147483647) & 255));
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [size, sum] = [Buffer.alloc(4), Buffer.from(crc32(body), "hex")];
    size.writeUInt32BE(data.length);
    return Buffer.concat([size, body, sum]);
  };
  const passes = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]];
  for (const [color, num, depths] of [[0, 1, [1, 2, 4, 8, 16]], [2, 3, [8, 16]], [3, 1, [1, 2, 4, 8]], [4, 2, [8, 16]], [6, 4, [8, 16]]])
    for (const depth of depths) for (const laced of [0, 1]) for (const clear of [false, true]) for (const [width, height] of [[13, 11], [3, 2]]) {
      const head = Buffer.from([0, 0, 0, width, 0, 0, 0, height, depth, color, 0, 0, laced]);
      const lines = (laced ? passes : [[0, 0, 1, 1]]).flatMap(([x, y, across, down]) => {
        const columns = Math.ceil(Math.max(0, width - x) / across);
        return Array.from({ length: columns && Math.ceil(Math.max(0, height - y) / down) }, () =>
          Buffer.concat([Buffer.from([random(1)[0] % 5]), random(Math.ceil(columns * num * depth / 8))]));
      });
      const key = color === 3 ? random(2) : num % 2 && clear ? Buffer.from(Array(num).fill([0, depth === 1 ? 1 : 2]).flat()) : null;
      const png = Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk("IHDR", head), ...(color === 3 ? [chunk("PLTE", random(768 >> (8 - depth)))] : []),
        ...(clear && key ? [chunk("tRNS", key)] : []), chunk("IDAT", deflateSync(Buffer.concat(lines))), chunk("IEND", Buffer.alloc(0))]);
      map.edit.using({ files: { "x.png": png } }).run("replace image image/own x.png");
      assert.deepEqual(await readPng(png), map.at("image/own").rgba(), `type ${color}, ${depth} bits, interlaced ${laced}, clear ${clear}`);
      for (const at of [20, 45, png.length - 20]) { // heads, sums and ends that are wrong
        const bad = Buffer.from(png);
        bad[at] ^= 0x40;
        const refused = await failure(() => readPng(bad));
        assert.ok(["damaged", "limit"].includes(refused?.code), `byte ${at}: ${refused}`);
        assert.equal((await failure(() => readPng(png.subarray(0, at)))).code, "damaged");
      }
    }
});

test("external images come by name, as pictures, PNG, promises, and what lacks is said", async () => {
  const picture = { data: new Uint8ClampedArray(256 * 256 * 4).fill(255), width: 256, height: 256 };
  const asked = [];
  const map = await Map.load(madeMap(), { images: async (name, game) => { asked.push([name, game]); return writePng(picture); } });
  assert.deepEqual([asked, map.missing], [[["grass_main", "ddnet"]], []]);
  assert.deepEqual(map.renderer().findings, []);
  const bare = await Map.load(madeMap());
  assert.deepEqual(bare.missing, ["grass_main"]);
  assert.equal(bare.renderer().findings[0].id, "missing-image");
  assert.deepEqual(await bare.loadImages({ grass_main: new Uint8Array([1]) }), ["grass_main"]);
  assert.deepEqual(await bare.loadImages({ grass_main: picture }), []);
  assert.deepEqual(bare.renderer().findings, []);
  await assert.rejects(Map.load(madeMap(), { images: () => { throw new RangeError("mine"); } }), /mine/);
});

test("a renderer follows tiles that change, and draws as a new one", async () => {
  for (const options of [{ updates: true }, { updates: true, entities: true, layers: "-design" }]) {
    const map = await load();
    map.edit.run("set 0/0.image=image/own 0/0.color_envelope=none 0.use_clipping=false");
    const renderer = map.renderer(options);
    const shown = (one) => one.picture(600, 400).data;
    const before = shown(renderer);
    for (const line of ["fill 0/0@3,3+9x7 7", "fill game@1,1+20x1 freeze", "fill tele@9,9+2x2 tele-in:9", "clear game", "fill 0/0 9:flags=rotate"]) {
      const { changes } = map.edit.run(line);
      for (const { address } of changes) renderer.update(map, address);
      const now = map.renderer(options);
      assert.deepEqual(shown(renderer), shown(now), line);
      now.free();
    }
    assert.notDeepEqual(shown(renderer), before);
    map.edit.run("remove 0/0");
    assert.throws(() => renderer.update(map, "0/0"), TypeError);
  }
});

test("a renderer draws, finds views, and knows places", async () => {
  const map = await load();
  const renderer = new Renderer(map, { entities: "game", layers: "design@50", missing: "white", detail: false, numbers: false, look: "ddnet" });
  assert.equal(renderer.opacities.length, map.layers.length);
  const target = { data: new Uint8ClampedArray(100 * 50 * 4), width: 100, height: 50 };
  const size = renderer.draw(target, { background: [9, 8, 7, 255] });
  assert.deepEqual(size, { width: 75, height: 50 });
  assert.deepEqual([...target.data.subarray(76 * 4, 77 * 4)], [0, 0, 0, 0]);
  assert.equal(renderer.picture(64, 64, { region: [0, 0, 10, 20], flat: true }).width, 32);
  assert.equal(renderer.picture(64, 64, { fit: true, scale: 2 }).width % 2, 0);
  const all = renderer.picture(64, 50, { region: [0, 0, 64, 50], time: 7 });
  const strips = [[0, 20], [20, 30]].map((rows) => renderer.picture(64, 50, { region: [0, 0, 64, 50], time: 7, rows }).data);
  assert.deepEqual(strips.flatMap((data) => [...data]), [...all.data]);
  const [best] = renderer.best(3, 64, 36);
  assert.ok(best.kind && best.zoom > 0 && renderer.best(3).length <= 3);
  assert.deepEqual(renderer.find("best", 64, 36), best);
  const place = renderer.find("10,20");
  assert.deepEqual([place.x, place.y], [10, 20]);
  assert.throws(() => renderer.find("nowhere"), TeemapError);
  const [x, y] = renderer.toPicture(1, [10, 5], 640, 360, { view: [10, 5] });
  assert.deepEqual([x, y], [320, 180]);
  assert.deepEqual(renderer.fromPicture(1, [320, 180], 640, 360, { view: [10, 5] }), [10, 5]);
  assert.ok((await failure(() => renderer.draw(target, { view: "best", fit: true }))) instanceof TypeError);
  assert.ok((await failure(() => renderer.draw({ ...target, width: 7 }))) instanceof TypeError);
  assert.equal((await failure(() => renderer.draw(target, { view: "tele:99" }))).code, "not found");
  assert.equal((await failure(() => map.renderer({ layers: "nowhere" }))).code, "not found");
  map.free(); // a renderer has a map of its own
  renderer.draw(target);
  renderer.free();
  const thumbnail = (await load()).thumbnail(90, 60);
  assert.deepEqual([thumbnail.width, thumbnail.height, thumbnail.data.length], [90, 60, 21600]);
});

test("saving: packed, rewritten, and what a game cannot hold", async () => {
  const map = await load();
  assert.deepEqual(Buffer.from(map.save()), madeMap());
  assert.deepEqual(map.lost, []);
  assert.ok(map.packed().length <= madeMap().length && map.save({ level: 1, recompress: true }).length > 0);
  const made = await Map.create(20, 10);
  assert.deepEqual([made.area, made.layers.map(({ kind }) => kind)], [{ width: 20, height: 10 }, ["game"]]);
  assert.deepEqual((await Map.create()).groups, []);
  const report = await map.convert("teeworlds07", { shipped: () => null });
  assert.ok(map.game === "teeworlds07" && report.changes.length && report.findings.some(({ id }) => id === "lost-layer"));
  assert.equal((await Map.load(map.save({ rewrite: true }))).game, "teeworlds07");
  await assert.rejects(map.convert("quake"), TypeError);
});

/** A file of which the block with this content holds only the first bytes of it. */
function shortened(file, content, keep) {
  const head = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const [types, items, blocks, itemSize] = [16, 20, 24, 28].map((at) => head.getInt32(at, true));
  const offsets = 36 + 12 * types + 4 * items, sizes = offsets + 4 * blocks, start = sizes + 4 * blocks + itemSize;
  const ends = [...Array.from({ length: blocks }, (_, i) => head.getInt32(offsets + 4 * i, true)), file.length - start];
  const packed = Array.from({ length: blocks }, (_, i) => file.subarray(start + ends[i], start + ends[i + 1]));
  const which = packed.findIndex((one) => inflateSync(one).equals(content));
  packed[which] = deflateSync(content.subarray(0, keep));
  const made = Buffer.concat([file.subarray(0, start), ...packed]), view = new DataView(made.buffer, made.byteOffset, made.length);
  packed.reduce((at, one, i) => (view.setInt32(offsets + 4 * i, at, true), at + one.length), 0);
  for (const [at, number] of [[sizes + 4 * which, keep], [8, made.length - 16], [32, made.length - start]]) view.setInt32(at, number, true);
  return made;
}

test("what is not read differs, and a merge tells what it leaves out of it", async () => {
  native("new", "-s", "50x30", scratch("plain.map"));
  native("edit", scratch("plain.map"), "-o", scratch("whole.map"), "clear", "game", "+", "fill", "game@2,1+1x1", "7");
  const base = await Map.load(readFileSync(scratch("whole.map")));
  const content = Buffer.alloc(50 * 30 * 4);
  content[4 * 52] = 7;
  const theirs = await Map.load(shortened(Buffer.from(base.save()), content, 1200));
  const ours = base.copy();
  ours.info.author = "me";
  const patch = base.diff(theirs);
  assert.deepEqual([patch.length, patch.unread.map(({ id }) => id)], [0, ["unread-differs"]]);
  assert.match(patch.unread[0].text, /holds less than its object needs/);
  assert.deepEqual(base.diff(base.copy()).unread, []);
  const { report } = merge(base, ours, theirs);
  assert.deepEqual(report.findings.filter(({ id }) => id === "unread-left-out").map(({ text }) => text.slice(0, 7)), ["theirs:"]);
});

test("patches: made, told, written, filtered, undone, joined, applied; merging with conflicts", async () => {
  const before = await load();
  const after = before.copy();
  after.at("1/0").tiles.put(2, 2, { index: 1 });
  after.info.author = "two";
  const patch = before.diff(after);
  assert.equal(patch.length, 2);
  const tiles = patch.changes.find(({ kind }) => kind === "tiles");
  assert.deepEqual([tiles.count, tiles.regions, tiles.after], [1, [{ x: 2, y: 2, width: 1, height: 1, count: 1 }], "1/0"]);
  assert.match(patch.changes.map(({ text }) => text).join(), /author/);
  const read = await Patch.read(patch.bytes());
  const map = before.copy();
  assert.equal(map.patch(read).changes.length > 0, true);
  assert.deepEqual(map.save(), after.save());
  patch.inverted().apply(map);
  assert.deepEqual(map.save(), before.save());
  assert.equal(patch.filtered("info").length, 1);
  assert.equal(patch.filtered("tiles", { region: [0, 0, 2, 2] }).length, 0);
  assert.equal(patch.filtered(undefined, { race: true }).length, 1);
  assert.equal(patch.filtered("info").union(patch.filtered("physics")).length, 2);
  const other = before.copy();
  other.info.author = "three";
  assert.equal((await failure(() => other.patch(patch))).code, "unsupported");
  assert.equal(other.patch(patch, { partial: true }).findings[0].id.startsWith("patch-"), true);
  other.info.author = "three";
  const merged = merge(before, after, other, { mark: false });
  assert.deepEqual(merged.conflicts.map(({ kind, open, resolution, address }) => [kind, open, resolution, address]), [["field", true, "unresolved", ""]]);
  const settled = before.merge(after, other, { resolve: { info: "theirs" } });
  assert.deepEqual([settled.map.info.author, settled.conflicts[0].open], ["three", false]);
  assert.ok(merge(null, after, other).map.groups.length);
  assert.equal(diff(after, after).length, 0);
  patch.free();
  assert.match((await failure(() => patch.length)).message, /given back/);
});

test("lint takes sets, choices, configurations, and rules of automappers", async () => {
  const map = await load();
  const lint = map.lint({ sets: "ddnet,style" });
  assert.deepEqual(lint.rules, ["ddnet", "style"]);
  const { id } = lint.findings[0];
  assert.ok(!map.lint({ sets: "ddnet,style", choices: { [id]: "off" } }).findings.some((finding) => finding.id === id));
  const harsh = map.lint({ choices: { "*": "error" }, most: 1, apart: true });
  assert.ok(harsh.findings.length && harsh.findings.every(({ severity }) => severity === "error"));
  const own = map.lint({ config: { ".teemap.toml": '[[lint.rule]]\nid = "mine"\nforbid = "air"\nseverity = "note"\n' } });
  assert.equal(own.findings.find(({ id: one }) => one === "mine").severity, "note");
  assert.equal((await failure(() => map.lint({ config: { "x.toml": "[" } }))).code, "damaged");
  assert.ok((await failure(() => map.lint({ choices: { x: "perhaps" } }))) instanceof TypeError);
  assert.ok((await failure(() => map.lint({ sets: "nonsense" }))) instanceof TypeError);
  const asked = [];
  map.lint({ choices: { "*": "on" }, rules: (name) => { asked.push(name); return "[Basic]\nIndex 1\n"; } });
  map.settings = [`# teemap: ignore ${id} - because`];
  assert.ok(map.lint({ sets: "ddnet,style" }).ignored.some((finding) => finding.id === id));
});

test("images may have names that all objects know", async () => {
  const made = await Map.create(4, 4);
  made.edit.run("add image constructor\nadd image toString");
  const map = await Map.load(made.save(), { images: {} });
  assert.deepEqual(map.missing, ["constructor", "toString"]);
  made.free();
  map.free();
});

test("find, size and the module itself", async () => {
  const map = await load();
  map.edit.fill({ layers: "game@3,3+2x1", tile: "freeze" });
  const [match] = map.find(["freeze", "unfreeze"], { layers: "game", region: [0, 0, 10, 10] });
  assert.deepEqual([match.pattern, match.address, match.x, match.y, match.width, match.count], ["freeze", "1/0", 3, 3, 2, 2]);
  assert.equal((await failure(() => map.find("nonsense:x"))).code, "usage");
  const [freeze] = map.tilesAt(3, 3).filter(({ kind }) => kind === "game");
  assert.deepEqual([freeze.address, freeze.index, freeze.id, freeze.flags], ["1/0", 9, "freeze", 0]);
  assert.match(freeze.title, /freez/);
  assert.deepEqual(map.tilesAt(-1, 3), []);
  assert.deepEqual(map.tilesAt(60, 3), []);
  assert.ok(map.fields("").length > 0, "of the map itself");
  const rows = map.fields("0/0");
  const row = (name) => rows.find((one) => one.name === name);
  assert.deepEqual([row("color").type, row("color").value], ["color", "#ffffffff"]);
  assert.deepEqual([row("image").refers, row("image").value], ["image", "image/0"]);
  assert.deepEqual(map.fields("0").find(({ name }) => name === "parallax.x").value, "50");
  assert.ok(map.fields("0/1", { list: "quads", index: 0 }).some(({ name }) => name === "points[4]"));
  assert.ok(map.fields("envelope/0", { list: "points", index: 1 }).find(({ name }) => name === "curve").choices.includes("bezier"));
  const infos = map.tileInfos(map.at("1/0"));
  assert.equal(infos.length, 256);
  assert.deepEqual(infos[9], { id: "freeze", title: "freezes", pool: null, delays: false });
  assert.equal(infos[8], null, "what does nothing in the layer");
  assert.equal(map.tileInfos(map.layers.find(({ kind }) => kind === "tiles")), null);
  const bytes = map.save();
  assert.equal(map.size().reduce((sum, { packed }) => sum + packed, 0), bytes.length);
  assert.equal(map.optimize({ images: true, colors: true }).changes.length > 0, true);
  assert.match(await teemap.version(), /^\d+\.\d+\.\d+$/);
  assert.match(native("--version").toString(), new RegExp((await teemap.version()).replaceAll(".", "\\.")));
  assert.ok(teemap.memorySize() > 0);
  assert.equal(Object.keys(teemap.operations).length, Number(native("edit", "--operations").toString().trim().split("\n").length));
  teemap.reset();
  assert.equal(teemap.memorySize(), 0);
  await teemap.init(readFileSync(join(PACKAGE, "teemap.wasm")));
  assert.equal((await load()).groups.length, 2);
  assert.equal(parse(native("info", "--json", scratch("made.map"))).game, "ddnet");
});

test("a text that could not be read is none and not \"\", is saved as it is, and is not set", async () => {
  const bytes = Buffer.from(madeMap());
  const [types, items, blocks] = [16, 20, 24].map((at) => bytes.readInt32LE(at));
  const map = await Map.load(bytes);
  const { author } = map.info;
  assert.ok(author);
  const sizes = 36 + 12 * types + 4 * items + 4 * blocks;
  const index = Array.from({ length: blocks }, (_, i) => i).find((i) => bytes.readInt32LE(sizes + 4 * i) === Buffer.byteLength(author) + 1);
  bytes.writeInt32LE(70000, sizes + 4 * index); // more than any text has
  const unread = await Map.load(bytes);
  assert.deepEqual([unread.info.author, unread.info.unread], [undefined, ["author"]]);
  assert.deepEqual([map.info.unread, map.images[0].unread, map.layers[0].unread], [[], [], []]);
  assert.equal((await failure(() => { unread.info.author = "Anna"; })).code, "unsupported");
  assert.deepEqual(unread.save(), new Uint8Array(bytes));
  unread.info.dropUnread();
  unread.info.author = "Anna";
  assert.deepEqual([unread.info.author, unread.info.unread], ["Anna", []]);
  map.free();
  unread.free();
});
