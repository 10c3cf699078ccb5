// SPDX-License-Identifier: Zlib
// A rectangle of tiles in a layer, or in all of them: drawn with the pointer, moved with keys, or typed.
import { $ } from "./elements.js";
import { on, perMap, session } from "./session.js";
import { layer, layerGroup } from "./chosen.js";
import { suggestions } from "./palette.js";
import { addPainter, movesAlong, pixelsOf, repaint } from "./marks.js";

const field = $("selection");
export const selection = perMap(() => ({ area: null })); // [x, y, width, height] in tiles of the layer

export const text = ([x, y, width, height]) => `${x},${y}+${width}x${height}`;
export function select(area) {
  selection.area = area;
  field.value = area ? text(area) : "";
  field.setCustomValidity("");
  repaint();
}

/** Words for the layer, or for all that move with the game, with a part of them. */
export function layersAt(area) {
  const all = () => session.map.groups.flatMap(({ layers, offset }, i) => (movesAlong(i) && offset.every((one) => one === 0) ? layers.map(({ address }) => address) : [])).join();
  return `${layer() || all()}@${text(area)}`;
}

field.onchange = () => {
  const found = /^\s*(-?\d+),(-?\d+)\+(\d+)x(\d+)\s*$/.exec(field.value);
  if (found) select(found.slice(1).map(Number));
  else if (!field.value.trim()) select(null);
  else {
    field.setCustomValidity("A selection is X,Y+WIDTHxHEIGHT in tiles: 10,20+30x40");
    field.reportValidity();
  }
};
on("chosen", repaint);

addPainter((pen) => {
  if (!selection.area || !session.map) return;
  const [x, y, width, height] = selection.area;
  const [[left, top], [right, bottom]] = [pixelsOf(layerGroup(), x, y), pixelsOf(layerGroup(), x + width, y + height)];
  pen.setLineDash([]);
  pen.strokeStyle = "#000";
  pen.lineWidth = 3;
  pen.strokeRect(left, top, right - left, bottom - top);
  pen.strokeStyle = "#fff";
  pen.lineWidth = 1.5;
  pen.setLineDash([6, 4]);
  pen.strokeRect(left, top, right - left, bottom - top);
  pen.setLineDash([]);
});

const WHOLE = ["extend", "crop", "append"]; // operations on whole layers: a part of one is refused
suggestions.layers = ({ optional }, operation) => (WHOLE.includes(operation) ? "" : selection.area && !(optional && !layer()) ? layersAt(selection.area) : optional ? "" : layer());
suggestions.region = () => (selection.area ? text(selection.area) : "");
suggestions.point = ({ optional }) => (selection.area && !optional ? selection.area.slice(0, 2).join() : "");
suggestions.tile = ({ optional }) => (optional ? "" : $("tile-text").value);

on("opened", () => select(null));
