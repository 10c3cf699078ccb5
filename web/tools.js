// SPDX-License-Identifier: Zlib
// Tools: select, paint, fill, clear, copy, paste and move tiles. What they do are operations as text, as everything is.
import { $, attempt, make, say } from "./elements.js";
import { ask, on, perMap, session } from "./session.js";
import { edit } from "./steps.js";
import { isShown, reveal } from "./layers.js";
import { addPainter, movesAlong, pixelsOf, repaint, tilesOf } from "./marks.js";
import { chosenLayers, hasTiles, layer, layerAt, layerGroup, layerKind, mayWrite } from "./chosen.js";
import { layersAt, select, selection, text } from "./selection.js";
import { brush, grab, targetsOf, Writing } from "./brush.js";
import { brushTool, spaceKey, write } from "./brush_tool.js";
import { quadTool } from "./quads.js";
import { treeKey } from "./tree.js";

const view = $("view");
const picture = $("picture");
const copied = perMap(() => ({ bytes: null, region: null, layer: "", moved: false, tiles: null })); // moved: since then; tiles: a brush of them, for other layers
let stroke = null; // what the pointer does

export const tool = () => document.querySelector("#tools input[name=tool]:checked").value;

// ------------------------------------------------------------------------------------------- what is done

/** Runs operations, and automappers behind them where that is wanted. area: what changes. */
function work(lines, area, more) {
  const automapped = $("automap").checked && layerKind() === "tiles" ? [`automap ${layersAt(area)}`] : [];
  return edit([...lines, ...automapped].join("\n"), more);
}

const needsArea = (does) => () => (selection.area ? does(selection.area) : say("Select some tiles first: with the tool Select, or by typing where they are."));
/** The area is filled with the brush, as a pattern. */
const fill = needsArea((area) => attempt(async () => {
  await brush.coming;
  if (!brush.now) return say("Nothing is in hand: type a tile, choose one, or take some of the map.");
  const targets = targetsOf(brush.now);
  const writing = new Writing();
  if (targets) writing.stamp(brush.now, targets, area, area.slice(2));
  return targets && write(writing);
}));
const clear = needsArea((area) => mayWrite(chosenLayers(), isShown) && work([`clear ${layersAt(area)}`], area));

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
  const tiles = hasTiles(layer()) ? await ask("grab", { layers: [layer()], area }) : null;
  Object.assign(copied, { bytes: await ask("save"), region: inWorld(area), layer: layer(), moved: false, tiles });
  $("paste").disabled = false;
}
const pasteLine = ([x, y], from = copied.layer) => `paste copied.map ${text(copied.region)} ${inWorld([x, y]).join()}${from ? ` ${from}` : ""} keep`;

const copy = needsArea((area) => copyable() && attempt(async () => {
  await take(area);
  say(`Copied: ${text(area)} of ${layer() || "all layers"}.`);
}));
/** What was copied goes to the chosen layer: from the same one with all that is there, from another one as tiles. */
const paste = needsArea((area) => {
  const to = [area[0], area[1], copied.region[2], copied.region[3]];
  if (!mayWrite(chosenLayers(), isShown)) return undefined;
  select(to);
  const other = layer() && copied.layer && (copied.moved || layer() !== copied.layer);
  if (!other) return work([pasteLine(to, layer() || copied.layer)], to, { files: { "copied.map": copied.bytes } });
  if (!copied.tiles) return say(`What was copied of layer ${copied.layer} are no tiles: they cannot go to layer ${layer()}.`);
  const targets = targetsOf(copied.tiles);
  const writing = new Writing();
  if (targets) writing.stamp(copied.tiles, targets, to);
  return targets && write(writing);
});
/** Moves the tiles of the selection so far. */
const move = (dx, dy) => needsArea((area) => copyable() && attempt(async () => {
  if (!mayWrite(chosenLayers(), isShown)) return;
  const before = { ...copied };
  await take(area);
  const to = [area[0] + dx, area[1] + dy, area[2], area[3]];
  const done = await work([`clear ${layersAt(area)}`, pasteLine(to)], to, { files: { "copied.map": copied.bytes } });
  Object.assign(copied, before);
  $("paste").disabled = !copied.bytes;
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
  paint: brushTool,
  quads: quadTool,
};

view.addEventListener("pointerdown", (event) => {
  const at = pointers[tool()];
  if (!at || !session.map || event.target !== picture || !(event.button === 0 || (event.button === 2 && at.right))) return;
  if (!event.isPrimary) {
    stroke = null; // a second finger moves the picture
    at.cancel?.();
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
  if (!stroke && session.map && event.target === picture && pointers[tool()]?.hover) {
    pointers[tool()].hover(cellAt(event));
    repaint();
  }
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
    if (name === "pointerup") attempt(() => done.at.up(done));
    else done.at.cancel?.();
    repaint();
  }, true);

picture.addEventListener("contextmenu", (event) => { if (session.map) event.preventDefault(); });

/** Takes the tile under the pointer. */
const pick = ([x, y]) => (hasTiles(layer()) ? grab([x, y, 1, 1]) : say("Choose a layer of tiles first."));

addPainter((pen) => {
  pen.fillStyle = "#3b82f680";
  const square = (x, y, width, height) => {
    const [[left, top], [right, bottom]] = [pixelsOf(layerGroup(), x, y), pixelsOf(layerGroup(), x + width, y + height)];
    pen.fillRect(left, top, right - left, bottom - top);
  };
  if (stroke?.moved) square(stroke.moved[0] + stroke.way[0], stroke.moved[1] + stroke.way[1], stroke.moved[2], stroke.moved[3]);
});

// --------------------------------------------------------------------------------------------------- keys

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const keys = { Enter: fill, Delete: clear, Escape: () => select(null) };
picture.addEventListener("keydown", (event) => {
  const arrow = ARROWS[event.key];
  const control = event.ctrlKey || event.metaKey;
  const does = !session.map ? null
    : toolsKey(event, control) ?? (control ? { c: copy, v: copied.bytes && paste }[event.key] ?? treeKey(event)
      : tool() === "quads" ? quadTool.key(event, arrow)
        : arrow && event.altKey ? () => move(...arrow)
          : arrow && event.shiftKey ? () => grow(arrow)
            : keys[event.key] ?? toolKey(event.key) ?? treeKey(event));
  if (!does) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  does();
}, true);

/** Keys of the brush, and Space, which shows all tiles. */
const toolsKey = (event, control) => (tool() === "paint" ? brushTool.key(event) : null) ?? (!control && tool() !== "quads" ? spaceKey(event) : null);

/** Space does so, too, where it means nothing else: the pointer is over the picture, and the focus where it was before. */
addEventListener("keydown", (event) => {
  if (!session.map || tool() === "quads" || event.ctrlKey || event.metaKey || event.altKey || !event.target.matches("body, input[type=number]")) return;
  const does = spaceKey(event);
  if (!does) return;
  event.preventDefault();
  event.target.blur();
  does();
});

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
  paint: "Drag to take tiles, then to write them. Shift fills an area, the right button erases, Space shows all tiles.", quads: "Drag a corner, or the pivot to move all of a quad; Shift and drag draw a new one." };
/** What is worked on is shown. */
function begin() {
  for (const one of Object.keys(HINTS)) view.classList.toggle(one, one === tool());
  $("hint").textContent = HINTS[tool()];
  if (tool() !== "look" && layer()) reveal(layer());
  quadTool.begin();
}
for (const one of document.querySelectorAll("#tools input[name=tool], #layer")) one.addEventListener("change", begin);
on("renumbered", (follow) => {
  copied.moved ||= Boolean(copied.layer) && follow(copied.layer) !== copied.layer;
});
on("opened", () => {
  $("paste").disabled = true;
  if (tool() === "quads") document.querySelector("#tools input[value=look]").click(); // another layer is chosen
  if (document.activeElement.matches("body, #layers *, #files, #open-first") && !document.querySelector("dialog[open]")) picture.focus();
});
begin();
