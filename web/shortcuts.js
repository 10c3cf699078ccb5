// SPDX-License-Identifier: Zlib
// All keys of the page, listed with ?.
import { $, make } from "./elements.js";
import { addCommands } from "./palette.js";

const KEYS = [
  ["View", [
    ["arrows, + and -, 0", "move, zoom, all of the map"],
    ["wheel; middle button and drag", "zoom; move"],
    ["V S B Q", "look, select, brush, quads"],
    ["F", "turn between two maps that flicker"],
  ]],
  ["Brush", [
    ["Space", "all tiles of the layer, to take some"],
    ["drag", "take tiles; with tiles in hand write them"],
    ["Shift and drag", "fill an area"],
    ["right button and drag", "erase an area"],
    ["right click, Escape", "put the tiles away"],
    ["N M", "mirror left-right, top-bottom"],
    ["T R", "turn clockwise, counterclockwise"],
    ["Shift or Ctrl and 1 to 0; 1 to 0", "keep in a slot; take from it"],
    ["Alt and click", "take one tile"],
    ["Ctrl+F", "the next free number"],
  ]],
  ["Selection", [
    ["Shift and arrows; Alt and arrows", "change its size; move what is in it"],
    ["Enter, Delete, Escape", "fill, clear, select nothing"],
    ["Ctrl+C, Ctrl+V", "copy, paste"],
  ]],
  ["Layers", [
    ["Ctrl or Shift and click", "several"],
    ["F2, Ctrl+D, Delete", "rename, duplicate, remove"],
    ["Alt+Up, Alt+Down; Alt+Home, Alt+End", "one place further; to the back, to the front"],
    ["right click, menu key", "menu: game tiles, automapper and more"],
    ["Alt+Enter", "properties"],
  ]],
  ["Quads and sound sources", [
    ["drag; Shift and drag", "move, or choose an area; draw a new one"],
    ["Ctrl and click", "several"],
    ["comma and full stop", "another handle"],
    ["arrows, with Shift", "move it by a pixel, a tile"],
    ["T R, K, Delete", "turn, knife, remove"],
  ]],
  ["Everywhere", [["Ctrl+Z, Ctrl+Y", "undo, redo"], ["Ctrl+S, Ctrl+Shift+S", "download, under another name"], ["Ctrl+K", "commands"], ["?", "this list"]]],
];

function show() {
  const dialog = $("shortcuts");
  if (!$("shortcuts-list").childElementCount)
    $("shortcuts-list").replaceChildren(
      ...KEYS.flatMap(([title, rows]) => [
        make("h3", {}, title),
        make("dl", {}, ...rows.flatMap(([keys, what]) => [make("dt", {}, keys), make("dd", {}, what)])),
      ]),
    );
  if (!dialog.open) dialog.showModal();
}

addCommands({ name: "keys", help: "all keys of the page", run: show });
addEventListener("keydown", (event) => {
  if (event.key !== "?" || event.target.matches("input:not([type=checkbox], [type=radio]), textarea, select")) return;
  event.preventDefault();
  show();
});
