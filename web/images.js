// SPDX-License-Identifier: Zlib
// The images and sounds of the map: seen and heard, added by name or as files, replaced, embedded, given to layers.
import { $, attempt, attend, bytesOf, counted, download, make, say } from "./elements.js";
import { ask, on, session } from "./session.js";
import { chosenLayers, layerAt } from "./chosen.js";
import { showProperties } from "./properties.js";
import { edit, word } from "./steps.js";

const THUMB = 40; // pixels
const panel = $("images-panel");
const files = make("input", { type: "file", className: "away", tabIndex: -1, ariaHidden: "true" });
let number = 0;
let wanted = null; // what is done with the file that is chosen
let player = null;

const isSound = (name) => /\.opus$/i.test(name);
const plainName = (name) => name.replace(/\.\w+$/, "").trim();

/** Adds files to the map, as images and sounds of their names. */
export const addFiles = (list) =>
    attempt(async () => {
        if (!session.map) return say("Open a map first: images and sounds belong to one.");
        const read = Object.fromEntries(await Promise.all(list.map(async (file) => [file.name, await bytesOf(file)])));
        const lines = list.map(
            ({ name }) => `add ${isSound(name) ? "sound" : "image"} ${word(plainName(name))} ${word(name)}`,
        );
        return edit(lines.join("\n"), { files: read });
    });

const replace = (address, file) =>
    attempt(async () => {
        const kind = address.split("/")[0];
        return edit(`replace ${kind} ${address} ${word(file.name)}`, { files: { [file.name]: await bytesOf(file) } });
    });

function askFile(accept, work) {
    wanted = work;
    files.accept = accept;
    files.click();
}
files.onchange = () => {
    const [file] = files.files;
    if (file) wanted(file);
    files.value = "";
};

/** The chosen layers get the image or the sound. */
function use(address) {
    const kinds = address.startsWith("sound/") ? ["sounds"] : ["tiles", "quads"];
    const layers = chosenLayers().filter((one) => kinds.includes(layerAt(one)?.kind));
    if (!layers.length) return say(`Choose a layer of ${kinds.join(" or ")} first.`);
    const field = address.split("/")[0];
    return edit(`set ${layers.map((one) => `${one}.${field}=${address}`).join(" ")}`);
}

async function play(address) {
    player?.close();
    player = null;
    const bytes = await ask("file", address);
    if (!bytes) return say("The sound is external: it is not here.");
    player = new AudioContext();
    const source = player.createBufferSource();
    source.buffer = await player.decodeAudioData(bytes.buffer);
    source.connect(player.destination);
    source.start();
    return say(`Playing: ${source.buffer.duration.toFixed(1)} s.`);
}

function mediaItem({ address, name, external, used, words }) {
    const sound = address.startsWith("sound/");
    const does = (text, run, label = `${text} ${name}`) =>
        make("button", { className: "small", onclick: () => attempt(run), ariaLabel: label }, text);
    const give = async () => {
        const bytes = await ask("file", address);
        download(bytes, `${name}.${sound ? "opus" : "png"}`);
    };
    const picture = sound ? [] : [make("canvas", { width: THUMB, height: THUMB, ariaHidden: "true" })];
    const told = [external ? "external" : "embedded", words, used ? counted(used, "layer") : "unused"];
    return make(
        "li",
        { dataset: { media: address } },
        ...picture,
        make("b", {}, name || address),
        make("small", {}, ` ${told.filter(Boolean).join(", ")} `),
        does("use", () => use(address), `Use ${name} in the chosen layers`),
        ...(sound && !external ? [does("play", () => play(address))] : []),
        ...(sound
            ? []
            : [external ? does("embed", () => edit(`embed ${address}`)) : does("external", () => edit(`external ${address}`))]),
        does("replace", () => askFile(sound ? ".opus" : ".png,.webp", (file) => replace(address, file))),
        ...(external ? [] : [does("export", give)]),
        does("properties", () => showProperties(address)),
        does("remove", () => edit(`remove ${address}`)),
    );
}

async function draw(list) {
    const mine = number;
    for (const { address } of list) {
        const canvas = $("media").querySelector(`[data-media="${address}"] canvas`);
        if (mine !== number || !canvas) return;
        const { data, width, height } = await ask("imagePicture", { address, size: THUMB });
        if (mine === number) canvas.getContext("2d").putImageData(new ImageData(data, width, height), 0, 0);
    }
}

async function show() {
    if (!session.map || !panel.open) return;
    const mine = ++number;
    const { images, sounds } = await ask("media");
    if (mine !== number) return;
    const { media } = document.activeElement?.closest("[data-media]")?.dataset ?? {};
    const text = media === undefined ? "" : document.activeElement.textContent;
    const before = new Set([...$("media").children].map((item) => item.dataset.media));
    $("media").replaceChildren(...[...images, ...sounds].map(mediaItem));
    const added = before.size && [...$("media").children].find((item) => !before.has(item.dataset.media));
    if (added) added.scrollIntoView({ block: "nearest" });
    if (text)
        [...$("media").querySelectorAll(`[data-media="${media}"] button`)].find((one) => one.textContent === text)?.focus();
    await draw(images);
}

$("media-add").onsubmit = (event) => {
    event.preventDefault();
    const name = $("media-name").value.trim();
    if (!name || !session.map) return;
    attempt(async () => {
        if ((await edit(`add image ${word(name)}`))?.changed) $("media-name").value = "";
    });
};
$("media-file").onclick = () => askFile(".png,.webp,.opus", (file) => addFiles([file]));
panel.append(files);
const showSoon = () => void attend($("media"), show);
panel.ontoggle = showSoon;
panel.querySelector("summary").addEventListener("click", () => {
    if (!panel.open) setTimeout(() => $("media-name").focus()); // it is opened behind this event
});
for (const name of ["dragover", "drop"])
    panel.addEventListener(name, (event) => {
        event.preventDefault();
        event.stopPropagation();
        const { media } = event.target.closest("[data-media]")?.dataset ?? {};
        const dropped = [...event.dataTransfer.files];
        if (name !== "drop" || !dropped.length) return;
        if (media && dropped.length === 1) replace(media, dropped[0]);
        else addFiles(dropped);
    });
on("opened", () => {
    $("media").replaceChildren();
    showSoon();
});
on("changed", showSoon);
