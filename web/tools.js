// SPDX-License-Identifier: Zlib
// Tools: select, paint, fill, clear, copy, paste and move tiles. What they do are operations as text, as everything is.
import { $, attempt, make, say } from "./elements.js";
import { ask, session } from "./session.js";
import { edit } from "./steps.js";
import { reveal } from "./layers.js";
import { addPainter, movesAlong, pixelsOf, repaint, tilesOf } from "./marks.js";
import { layer, layerGroup, layerKind, layersAt, select, selection, text } from "./selection.js";
import { quadTool } from "./quads.js";

const view = $("view");
const picture = $("picture");
let copied = null; // { bytes, region, layers }
let stroke = null; // what the pointer does: { from, cells } or { from, area }

export const tool = () => document.querySelector("#tools input[name=tool]:checked").value;
const tileText = () => $("tile-text").value.trim();
const oneLayer = () => {
  if (layer() && !["quads", "sounds", "old-sounds"].includes(layerKind())) return true;
  say("Choose a layer of tiles first.");
  return false;
};

// ------------------------------------------------------------------------------------------- what is done

/** Runs operations, and automappers behind them where that is wanted. area: what changes. */
function work(lines, area, more) {
  const automapped = $("automap").checked && layerKind() === "tiles" ? [`automap ${layersAt(area)}`] : [];
  return edit([...lines, ...automapped].join("\n"), more);
}

const quoted = (word) => (/^[\w:=.-]+$/.test(word) ? word : `'${word}'`);

const needsArea = (does) => () => (selection.area ? does(selection.area) : say("Select some tiles first: with the tool Select, or by typing where they are."));
const fill = needsArea((area) => (oneLayer() ? work([`fill ${layersAt(area)} ${quoted(tileText())}`], area) : undefined));
const clear = needsArea((area) => work([`clear ${layersAt(area)}`], area));

/** Painted cells, as few rectangles as rows have runs. */
function paintCells(cells) {
  const sorted = [...cells].map((one) => one.split(",").map(Number)).sort(([ax, ay], [bx, by]) => ay - by || ax - bx);
  const runs = [];
  for (const [x, y] of sorted) {
    const last = runs.at(-1);
    if (last && last[1] === y && last[0] + last[2] === x) last[2]++;
    else runs.push([x, y, 1, 1]);
  }
  const [xs, ys] = [sorted.map(([x]) => x), sorted.map(([, y]) => y)];
  const low = (list) => list.reduce((a, b) => Math.min(a, b));
  const high = (list) => list.reduce((a, b) => Math.max(a, b));
  return work(runs.map((run) => `fill ${layersAt(run)} ${quoted(tileText())}`), [low(xs), low(ys), high(xs) - low(xs) + 1, high(ys) - low(ys) + 1]);
}

/** Where a part of the layer is in the world: operations that know other maps mean that. */
function inWorld([x, y, ...size]) {
  const { offset } = session.map.groups[layerGroup()];
  return [x - Math.round(offset[0] / 32), y - Math.round(offset[1] / 32), ...size];
}
const copyable = () => {
  if (!layer() || movesAlong(layerGroup())) return true;
  say("Only what moves with the game (parallax 100) can be copied and moved.");
  return false;
};
async function take(area) {
  copied = { bytes: await ask("save"), region: inWorld(area), layer: layer() };
  $("paste").disabled = false;
}
const pasteLine = ([x, y]) => `paste copied.map ${text(copied.region)} ${inWorld([x, y]).join()}${copied.layer ? ` ${copied.layer}` : ""} keep`;

const copy = needsArea((area) => copyable() && attempt(async () => {
  await take(area);
  say(`Copied: ${text(area)} of ${layer() || "all layers"}.`);
}));
const paste = needsArea((area) => {
  const to = [area[0], area[1], copied.region[2], copied.region[3]];
  select(to);
  return work([pasteLine(to)], to, { files: { "copied.map": copied.bytes } });
});
/** Moves the tiles of the selection so far. */
const move = (dx, dy) => needsArea((area) => copyable() && attempt(async () => {
  const before = copied;
  await take(area);
  const to = [area[0] + dx, area[1] + dy, area[2], area[3]];
  const done = await work([`clear ${layersAt(area)}`, pasteLine(to)], to, { files: { "copied.map": copied.bytes } });
  copied = before;
  if (done?.changed) select(to);
}))();

// ------------------------------------------------------------------------------------------------ pointer

const cellAt = (event) => tilesOf(layerGroup(), event.offsetX, event.offsetY).map(Math.floor);
const within = ([x, y], [left, top, width, height]) => x >= left && y >= top && x < left + width && y < top + height;

const pointers = {
  select: {
    down: (cell) => ({ from: cell, moved: selection.area && within(cell, selection.area) ? selection.area : null }),
    move(cell) {
      const { from, moved } = stroke;
      stroke.way = [cell[0] - from[0], cell[1] - from[1]];
      if (!moved) select([Math.min(from[0], cell[0]), Math.min(from[1], cell[1]), Math.abs(stroke.way[0]) + 1, Math.abs(stroke.way[1]) + 1]);
    },
    up({ moved, way }) {
      if (moved && (way[0] || way[1])) move(...way);
    },
  },
  paint: {
    down: (cell) => (oneLayer() ? { from: cell, cells: new Set([cell.join()]) } : null),
    /** All cells on the line from the last one: the pointer may jump. */
    move(cell) {
      const [x, y] = stroke.from;
      const number = Math.max(1, Math.abs(cell[0] - x), Math.abs(cell[1] - y));
      for (let i = 1; i <= number; i++) stroke.cells.add([Math.round(x + ((cell[0] - x) * i) / number), Math.round(y + ((cell[1] - y) * i) / number)].join());
      stroke.from = cell;
    },
    up: ({ cells }) => paintCells(cells),
  },
  quads: quadTool,
};

view.addEventListener("pointerdown", (event) => {
  const at = pointers[tool()];
  if (!at || !session.map || event.target !== picture || event.button !== 0) return;
  if (!event.isPrimary) {
    stroke = null; // a second finger moves the picture
    repaint();
    return;
  }
  event.stopPropagation();
  picture.focus();
  if (event.altKey && tool() !== "quads") return void pick(cellAt(event));
  picture.setPointerCapture(event.pointerId);
  stroke = at.down(cellAt(event), event);
  if (stroke) Object.assign(stroke, { at, way: [0, 0] });
  if (stroke) at.move(cellAt(event), event, stroke);
  repaint();
}, true);
view.addEventListener("pointermove", (event) => {
  if (!stroke || !event.isPrimary) return;
  event.stopPropagation();
  stroke.at.move(cellAt(event), event, stroke);
  repaint();
}, true);
for (const name of ["pointerup", "pointercancel"])
  view.addEventListener(name, (event) => {
    if (!stroke || !event.isPrimary) return;
    event.stopPropagation();
    const done = stroke;
    stroke = null;
    if (name === "pointerup") done.at.up(done);
    repaint();
  }, true);

/** Takes the tile under the pointer. */
const pick = ([x, y]) => attempt(async () => {
  if (oneLayer()) $("tile-text").value = await ask("tileText", { layer: layer(), x, y });
});

addPainter((pen) => {
  pen.fillStyle = "#3b82f680";
  const square = (x, y, width, height) => {
    const [[left, top], [right, bottom]] = [pixelsOf(layerGroup(), x, y), pixelsOf(layerGroup(), x + width, y + height)];
    pen.fillRect(left, top, right - left, bottom - top);
  };
  for (const cell of stroke?.cells ?? []) square(...cell.split(",").map(Number), 1, 1);
  if (stroke?.moved) square(stroke.moved[0] + stroke.way[0], stroke.moved[1] + stroke.way[1], stroke.moved[2], stroke.moved[3]);
});

// --------------------------------------------------------------------------------------------------- keys

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const keys = { Enter: fill, Delete: clear, Escape: () => select(null) };
picture.addEventListener("keydown", (event) => {
  const arrow = ARROWS[event.key];
  const control = event.ctrlKey || event.metaKey;
  const does = !session.map ? null
    : control ? { c: copy, v: copied && paste }[event.key]
      : tool() === "quads" ? quadTool.key(event, arrow)
        : arrow && event.altKey ? () => move(...arrow)
          : arrow && event.shiftKey ? () => grow(arrow)
            : keys[event.key] ?? toolKey(event.key);
  if (!does) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  does();
}, true);

/** Makes the selection larger or smaller at its right and its bottom; without one it begins in the middle of the picture. */
function grow([dx, dy]) {
  const [x, y, width, height] = selection.area ?? [...tilesOf(layerGroup(), picture.clientWidth / 2, picture.clientHeight / 2).map(Math.floor), 1 - dx, 1 - dy];
  select([x, y, Math.max(1, width + dx), Math.max(1, height + dy)]);
}

function toolKey(key) {
  const found = document.querySelector(`#tools input[name=tool][data-key="${CSS.escape(key)}"]`);
  return found ? () => found.click() : null;
}

Object.assign($("fill"), { onclick: fill });
Object.assign($("clear"), { onclick: clear });
Object.assign($("copy"), { onclick: copy });
Object.assign($("paste"), { onclick: paste });
const HINTS = { look: "Drag to move, turn the wheel to zoom; point at a tile to read what it does.", select: "Drag over tiles; drag what is selected to move it.",
  paint: "Drag over tiles; Alt and a click take the tile that is there.", quads: "Drag a corner, or the pivot to move all of a quad." };
/** What is worked on is shown. */
function begin() {
  for (const one of Object.keys(HINTS)) view.classList.toggle(one, one === tool());
  $("hint").textContent = HINTS[tool()];
  if (tool() !== "look" && layer()) reveal(layer());
  quadTool.begin();
}
for (const one of document.querySelectorAll("#tools input[name=tool], #layer")) one.addEventListener("change", begin);
begin();
