// SPDX-License-Identifier: Zlib
// Not run: what TypeScript must take, and what it must refuse.
import { Map, Patch, Renderer, TeemapError, diff, init, memorySize, merge, operationHelp, operationLine, operations, readPng, reset, version, writePng } from "teemap";
import type { Finding, Layer, Limits, Picture, Report } from "teemap";
import "teemap/view";
import { Map as Viewed, Renderer as ViewRenderer } from "teemap/viewer";

export async function all(bytes: Uint8Array, file: File, context: CanvasRenderingContext2D): Promise<void> {
    await init("https://example.org/teemap.wasm");
    const map: Map = await Map.load(bytes, { images: async (name) => (await fetch(`mapres/${name}.png`)), mode: "salvage", path: "a.map" });
    const other = await Map.load(file, { images: { grass_main: bytes } });
    const made = await Map.create(10, 20, "teeworlds07");
    const game: string | number = map.game;
    map.game = "ddnet";
    for (const group of map.groups) group.parallaxX = group.parallaxY + 1;
    map.groups[0].name = "Sky";
    const layer: Layer = map.layers[0];
    if ("tiles" in layer) {
        layer.tiles.put(1, 2, { index: 3, flags: 1 });
        const view: Uint8Array = layer.tiles.array;
        layer.color = "#ffffffff";
        layer.color = [1, 2, 3, 4];
        const [red]: [number, number, number, number] = layer.color;
        layer.image = map.images[0];
        view.fill(red);
    }
    if ("quads" in layer) layer.quads.set(0, { colorOffset: 5, points: [[1, 2]] });
    if ("sources" in layer) for (const source of layer.sources) console.log(source.x);
    map.envelopes[0].points.set(0, { curve: "bezier", values: [1, 0, 0, 1] });
    map.images[0].setPixels(context.getImageData(0, 0, 8, 8));
    map.sounds[0].setData(null);
    map.info.author = map.settings.join();
    const credits: string | undefined = map.info.credits; // undefined: the file has a text that could not be read
    map.images[0].name = credits ?? "none";
    const known: string = map.groups[0].name + map.envelopes[0].name; // these can always be read
    const limits: Limits = { timeout: 2.5, signal: new AbortController().signal, progress: (done, total) => done < total / 2 };
    map.limits = { ...limits, signal: new Int32Array(new SharedArrayBuffer(4)) };
    const target = context.createImageData(640, 360);
    map.render(target, { view: "best", entities: true, layers: "design@50", background: [0, 0, 0, 255] });
    const renderer = new Renderer(map, { missing: "white" });
    context.putImageData(target, 0, renderer.draw(target, { region: [0, 0, 10, 10] }).width);
    const picture: Picture = map.thumbnail();
    const [x, y] = renderer.fromPicture(0, [1, 2], 640, 360, { view: [1, 2, 3] });
    renderer.free();
    const findings: Finding[] = [...map.check(), ...map.lint({ sets: "ddnet", choices: { "no-*": "off" } }).findings];
    const fix: string | null = map.lint().findings[0].fix;
    const report: Report = map.edit.mirror({ way: "x", layers: "design" });
    map.edit.using({ files: { "a.png": bytes, "b.map": other } }).run("add image a a.png", { X: 1 });
    map.edit.crop();
    map.edit.shift({ at: [1, 2], way: "wrap" });
    map.edit.addImage({ name: "x", file: bytes });
    map.edit.append({ other, layers: "design" });
    map.edit.quadsKnife({ layer: map.layers[1], quad: 1, at: [[1, 2], [3, 4], [5, 6], [7, 8]] });
    map.automap({ config: "Basic", rules: { grass_main: "[Basic]" } });
    const patch: Patch = diff(map, other);
    map.patch(await Patch.read(patch.bytes()), { partial: true });
    patch.filtered("tiles", { race: true }).union(patch).inverted().free();
    const { conflicts } = merge(null, map, other, { resolve: { physics: "ours" } });
    await map.convert("teeworlds06", { way: "rename", shipped: () => null });
    const words: (string | null)[] = map.tilesAt(1, 2).map(({ title }) => title);
    const row = map.facts();
    const place: number = map.find(["freeze"], { region: [0, 0, 1, 1] })[0].x + map.size()[0].packed + map.optimize().changes.length;
    console.log(known, words, game, made.packed(), picture, x, y, findings, fix, report, conflicts, row.path, place, operations.mirror.arguments[0].choices, (await operationHelp("mirror")).help, operationLine("mirror", { way: "x" }, { shell: true }), map.rescue().counts, conflicts[0].ours, memorySize(), await version());
    console.log((await readPng(await writePng(target))).width);
    try {
        map.save({ level: 9 });
    } catch (error) {
        if (error instanceof TeemapError) console.log(error.code, error.place, error.offset);
    }
    const viewed = await Viewed.load(bytes);
    new ViewRenderer(viewed).draw(target);
    viewed.render(target);
    viewed.free();
    reset();
    const view = document.createElement("teemap-view");
    view.setAttribute("src", "x.map");
    view.addEventListener("load", () => console.log(view.missing.length, view.camera?.zoom));

    // @ts-expect-error it may be a text that could not be read
    const author: string = other.info.author;
    // @ts-expect-error it may be a name that could not be read
    other.sounds[0].name.length;
    // @ts-expect-error so may it
    other.images[0].name.length;
    // @ts-expect-error no such way
    map.edit.mirror({ way: "z" });
    // @ts-expect-error it needs a way
    map.edit.mirror();
    // @ts-expect-error there is no such field
    map.groups[0].colour = 1;
    // @ts-expect-error only an operation changes it
    map.at("0/0").width = 3;
    // @ts-expect-error a viewer changes nothing
    viewed.save();
    // @ts-expect-error no such game
    await map.convert("quake");
}
