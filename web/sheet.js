// SPDX-License-Identifier: Zlib
// The 256 tiles of a layer as a picture, to choose one from.
import { $, attempt, say } from "./elements.js";
import { ask } from "./session.js";
import { layer, layerKind } from "./selection.js";

const SIDE = 16;
const dialog = $("sheet");
const canvas = $("sheet-picture");
let tiles = []; // { name, title } by index
let at = 0;

async function open() {
  if (!layer() || ["quads", "sounds", "old-sounds"].includes(layerKind())) return say("Choose a layer of tiles first.");
  const { data, width, height, names } = await ask("sheet", { layer: layer(), size: canvas.width });
  tiles = names;
  canvas.getContext("2d").putImageData(new ImageData(data, width, height), 0, 0);
  dialog.showModal();
  canvas.focus();
  const text = $("tile-text").value;
  mark(Math.max(tiles.findIndex(({ name }) => name === text), Number.parseInt(text, 10) || 0));
  return undefined;
}

function mark(index) {
  at = Math.max(0, Math.min(SIDE * SIDE - 1, index));
  const side = canvas.clientWidth / SIDE;
  Object.assign($("sheet-mark").style, { left: `${(at % SIDE) * side}px`, top: `${Math.floor(at / SIDE) * side}px`, width: `${side}px`, height: `${side}px` });
  const { name, title } = tiles[at];
  $("sheet-tile").textContent = [at, at ? name : "air", title].filter((one) => one !== "" && one !== null).join(": ");
}

function take() {
  $("tile-text").value = at === 0 ? "air" : String(at);
  dialog.close();
}

const under = (event) => Math.floor((event.offsetX / canvas.clientWidth) * SIDE) + SIDE * Math.floor((event.offsetY / canvas.clientHeight) * SIDE);
canvas.onpointermove = (event) => mark(under(event));
canvas.onclick = (event) => { mark(under(event)); take(); };
canvas.onkeydown = (event) => {
  const way = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -SIDE, ArrowDown: SIDE }[event.key];
  if (way) mark(at + way);
  else if (event.key === "Enter") take();
  else return;
  event.preventDefault();
};
$("choose-tile").onclick = () => attempt(open);
