// SPDX-License-Identifier: Zlib
// What stands over the picture and is none of the map: the selection, handles, frames of changes. And where tiles of a group are on it.
import { $ } from "./elements.js";
import { on, session } from "./session.js";
import { camera, frames, middle } from "./look.js";

const canvas = $("marks");
const pen = canvas.getContext("2d");
const painters = [];

/** Paints over each picture: painter(pen), in pixels of the page. */
export const addPainter = (painter) => { painters.push(painter); };

export function repaint() {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.max(1, Math.round(side * ratio)));
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  for (const painter of painters) painter(pen);
}

/** How a group is moved, in tiles: its tile g is where the game layer's tile g - shift is. Players see it so from the middle of the picture. */
function shiftOf(group) {
  const { parallax, offset } = session.map?.groups[group] ?? { parallax: [100, 100], offset: [0, 0] };
  return middle().map((at, i) => at * (parallax[i] / 100 - 1) + offset[i] / 32);
}
/** From pixels of the picture to tiles of a group, and back. */
export function tilesOf(group, x, y) {
  const [dx, dy] = shiftOf(group);
  return [camera.x + x / camera.scale + dx, camera.y + y / camera.scale + dy];
}
export function pixelsOf(group, x, y) {
  const [dx, dy] = shiftOf(group);
  return [(x - dx - camera.x) * camera.scale, (y - dy - camera.y) * camera.scale];
}
/** Whether a group is drawn where players are: tiles of it stay beside tiles of the game layer. */
export const movesAlong = (group) => session.map.groups[group].parallax.every((one) => one === 100);

addPainter((over) => {
  over.lineWidth = 3;
  over.strokeStyle = "#f97316";
  for (const { group, x, y, width, height } of frames.places) {
    const [[left, top], [right, bottom]] = [pixelsOf(group, x, y), pixelsOf(group, x + width, y + height)];
    over.strokeRect(left - 3, top - 3, Math.max(4, right - left) + 6, Math.max(4, bottom - top) + 6);
  }
  over.lineWidth = 1.5;
  over.beginPath();
  frames.way.forEach(([group, x, y], i) => over[i % 2 ? "lineTo" : "moveTo"](...pixelsOf(group, x, y)));
  over.stroke();
});

on("moved", repaint);
