// SPDX-License-Identifier: Zlib
// The tool for quads: corners and pivots are dragged, or moved with the arrow keys; the pivot takes its quad along.
import { $, attempt, attend, say } from "./elements.js";
import { ask, on } from "./session.js";
import { edit } from "./steps.js";
import { isShown } from "./layers.js";
import { addPainter, pixelsOf, repaint, tilesOf } from "./marks.js";
import { layer, layerGroup, layerKind, mayWrite } from "./chosen.js";

const PIVOT = 4;
const NEAR = 12; // pixels
let quads = []; // points of each, in tiles
let from = ""; // the layer that they are of
let held = null; // [quad, point] that keys move
let way = [0, 0]; // how far it is dragged, in tiles

const wanted = () => document.querySelector("#tools input[value=quads]").checked;

async function read() {
  const mine = wanted() && layerKind() === "quads" ? layer() : "";
  if (mine !== from) [from, quads, held] = [mine, [], null];
  const found = mine ? await ask("quads", { layer: mine }) : [];
  if (mine !== from) return; // another one was chosen meanwhile
  quads = found;
  if (!quads[held?.[0]]) held = null;
  repaint();
}
const begin = () => attempt(async () => {
  [quads, held] = [[], null];
  await read();
  if (wanted()) say(quads.length ? `Quads that can be dragged: ${quads.length}.` : "Choose a layer of quads.");
});

function place(quad, point) {
  const [x, y] = quads[quad][point];
  const along = held?.[0] === quad && (held[1] === point || held[1] === PIVOT);
  return pixelsOf(layerGroup(), x + (along ? way[0] : 0), y + (along ? way[1] : 0));
}

/** Moves what is held by pixels of the layer. */
async function moveBy(dx, dy) {
  if (!held || !(dx || dy) || !mayWrite([layer()], isShown)) return;
  const [quad, point] = held;
  await edit(`set '${layer()}.quads[${quad}].points[${point === PIVOT ? "*" : point}]+=${dx},${dy}'`);
}

/** All handles, in order: four corners and the pivot of each quad. */
const handles = () => quads.flatMap((points, quad) => points.map((_, point) => [quad, point]));

export const quadTool = {
  begin,
  down(_, event) {
    let best = NEAR;
    held = null;
    for (const [quad, point] of handles()) {
      const [x, y] = place(quad, point);
      const far = Math.hypot(x - event.offsetX, y - event.offsetY);
      if (far < best) [best, held] = [far, [quad, point]];
    }
    return held && { from: tilesOf(layerGroup(), event.offsetX, event.offsetY) };
  },
  move(_, event, { from }) {
    const to = tilesOf(layerGroup(), event.offsetX, event.offsetY);
    way = [to[0] - from[0], to[1] - from[1]];
  },
  up() {
    const [dx, dy] = way.map((one) => Math.round(one * 32));
    way = [0, 0];
    return moveBy(dx, dy);
  },
  cancel() {
    way = [0, 0];
  },
  /** What a key does: , and . take another handle, arrows move it by a pixel, with Shift by a tile. */
  key({ key, shiftKey }, arrow) {
    const all = handles();
    if (arrow && held) return () => moveBy(...arrow.map((one) => one * (shiftKey ? 32 : 1)));
    if (!all.length || !["," , "."].includes(key)) return null;
    const now = held ? all.findIndex((one) => one.join() === held.join()) : key === "." ? -1 : 0;
    return () => {
      held = all[(now + (key === "." ? 1 : all.length - 1)) % all.length];
      say(`Quad ${held[0]}, ${held[1] === PIVOT ? "pivot" : `corner ${held[1]}`}.`);
      repaint();
    };
  },
};

addPainter((pen) => {
  if (!wanted()) return;
  quads.forEach((points, quad) => {
    const at = points.map((_, point) => place(quad, point));
    pen.strokeStyle = "#f97316";
    pen.lineWidth = 1;
    pen.beginPath();
    for (const corner of [0, 1, 3, 2, 0]) pen.lineTo(...at[corner]);
    pen.stroke();
    at.forEach(([x, y], point) => {
      pen.fillStyle = held?.[0] === quad && held[1] === point ? "#fff" : point === PIVOT ? "#16a34a" : "#f97316";
      pen.fillRect(x - 5, y - 5, 10, 10);
      pen.strokeStyle = "#000";
      pen.strokeRect(x - 5, y - 5, 10, 10);
    });
  });
});

const readAnew = () => void attend($("tools"), read);
on("opened", () => {
  [from, quads, held] = ["", [], null];
  readAnew();
});
on("chosen", readAnew); // behind each step, too
