// SPDX-License-Identifier: Zlib
// The 256 tiles of a layer as a picture, to take one or a block from. What does nothing in the layer is dark, and
// is not taken.
import { $, attempt, say } from "./elements.js";
import { ask } from "./session.js";
import { hasTiles, layer } from "./chosen.js";
import { brush, takeBrush } from "./brush.js";
import { values } from "./values.js";

const SIDE = 16;
const LONG = 350; // ms that Space is held, if it is not only touched
const dialog = $("sheet");
const canvas = $("sheet-picture");
let tiles = []; // { name, title, dead } by index
let at = 0;
let from = null; // where a drag began
let held = 0; // since when Space is held

/** holds: Space is held, and letting it go closes the picture. */
export const openSheet = (holds = false) =>
    attempt(async () => {
        if (!hasTiles(layer())) return say("Choose a layer of tiles first.");
        held = holds ? performance.now() : 0;
        dialog.ariaBusy = "true";
        if (!dialog.open) dialog.showModal();
        canvas.focus();
        const mine = layer();
        const { data, width, height, names } = await ask("sheet", { layer: mine, size: canvas.width });
        if (mine !== layer()) return undefined;
        tiles = names;
        const pen = canvas.getContext("2d");
        pen.putImageData(new ImageData(data, width, height), 0, 0);
        pen.fillStyle = "#000b";
        const side = width / SIDE;
        tiles.forEach(({ dead }, i) => {
            if (dead) pen.fillRect((i % SIDE) * side, Math.floor(i / SIDE) * side, side, side);
        });
        const one = brush.now?.layers[0];
        mark(
            Math.max(
                0,
                tiles.findIndex(({ name }, i) => one && one.texts[one.cells[0]].split(":")[0] === (name || String(i))),
            ),
        );
        dialog.ariaBusy = "false";
        return undefined;
    });

const areaTo = (index) => {
    const [ax, ay, bx, by] = [
        (from ?? index) % SIDE,
        Math.floor((from ?? index) / SIDE),
        index % SIDE,
        Math.floor(index / SIDE),
    ];
    return [Math.min(ax, bx), Math.min(ay, by), Math.abs(ax - bx) + 1, Math.abs(ay - by) + 1];
};

function mark(index) {
    at = Math.max(0, Math.min(SIDE * SIDE - 1, index));
    const side = canvas.clientWidth / SIDE;
    const [x, y, width, height] = areaTo(at);
    Object.assign($("sheet-mark").style, {
        left: `${x * side}px`,
        top: `${y * side}px`,
        width: `${width * side}px`,
        height: `${height * side}px`,
    });
    if (!tiles[at]) return;
    const { name, title, dead } = tiles[at];
    $("sheet-tile").textContent = [at, at ? name : "air", dead ? "does nothing in this layer" : title]
        .filter((one) => one !== "" && one !== null)
        .join(": ");
}

function take() {
    const area = areaTo(at);
    from = null;
    if (area[2] * area[3] === 1 && tiles[at]?.dead)
        return say(`Tile ${at} does nothing in this layer. Type ${at} to write it all the same.`);
    dialog.close();
    $("picture").focus();
    document.querySelector("#tools input[value=paint]").click();
    $("picture").focus();
    return takeBrush(() => ask("pickTiles", { layer: layer(), area, values: values.now() }));
}

const under = (event) =>
    Math.max(0, Math.min(SIDE - 1, Math.floor((event.offsetX / canvas.clientWidth) * SIDE))) +
    SIDE * Math.max(0, Math.min(SIDE - 1, Math.floor((event.offsetY / canvas.clientHeight) * SIDE)));
canvas.onpointermove = (event) => mark(under(event));
canvas.onpointerdown = (event) => {
    canvas.setPointerCapture(event.pointerId);
    from = under(event);
    mark(from);
};
canvas.onpointerup = (event) => {
    if (from === null) return;
    mark(under(event));
    take();
};
canvas.onkeydown = (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -SIDE, ArrowDown: SIDE }[event.key];
    if (way && event.shiftKey) from ??= at;
    else if (way) from = null;
    if (way) mark(at + way);
    else if (event.key === "Enter") take();
    else if (event.key === " ") {
        if (!event.repeat && !held) dialog.close();
    } else return;
    event.preventDefault();
};
addEventListener("keyup", (event) => {
    if (event.key !== " " || !held) return;
    const long = performance.now() - held > LONG;
    held = 0;
    if (long && dialog.open && from === null) dialog.close();
});
dialog.onclose = () => {
    from = null;
    $("picture").focus();
};
$("choose-tile").onclick = () => openSheet();
