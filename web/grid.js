// SPDX-License-Identifier: Zlib
// A grid of tiles of the game layer, rulers that number its lines, and a cross in the middle for who moves by keys.
import { $ } from "./elements.js";
import { session } from "./session.js";
import { camera } from "./look.js";
import { addPainter, pixelsOf, repaint } from "./marks.js";

const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
const LINES = 8; // pixels between lines, and between numbers, at least
const NUMBERS = 48;
const RULER = 16;

const stepFor = (pixels) => STEPS.find((step) => step * camera.scale >= pixels) ?? 10000;

/** Numbers from `from` on, as far as a side of the picture reaches, each `step`. */
function* lines(from, pixels, step) {
  for (let at = Math.ceil(from / step) * step; at <= from + pixels / camera.scale; at += step) yield at;
}

addPainter((pen) => {
  const { clientWidth, clientHeight } = $("picture");
  if ($("picture").matches(":focus-visible") && session.map) {
    pen.strokeStyle = "#fff";
    pen.lineWidth = 1;
    pen.strokeRect(clientWidth / 2 - 6, clientHeight / 2, 12, 0);
    pen.strokeRect(clientWidth / 2, clientHeight / 2 - 6, 0, 12);
  }
  if (!$("grid").checked || !session.map) return;
  const sides = [[camera.x, clientWidth], [camera.y, clientHeight]];
  pen.lineWidth = 1;
  pen.strokeStyle = "#fff6";
  pen.beginPath();
  for (const at of lines(...sides[0], stepFor(LINES))) { const [x] = pixelsOf(null, at, 0); pen.moveTo(x, 0); pen.lineTo(x, clientHeight); }
  for (const at of lines(...sides[1], stepFor(LINES))) { const [, y] = pixelsOf(null, 0, at); pen.moveTo(0, y); pen.lineTo(clientWidth, y); }
  pen.stroke();
  pen.fillStyle = "#000c";
  pen.fillRect(0, 0, clientWidth, RULER);
  pen.fillRect(0, 0, NUMBERS - LINES, clientHeight);
  pen.fillStyle = "#fff";
  pen.font = "11px system-ui, sans-serif";
  for (const at of lines(...sides[0], stepFor(NUMBERS))) pen.fillText(at, pixelsOf(null, at, 0)[0] + 2, 12);
  for (const at of lines(...sides[1], stepFor(NUMBERS))) pen.fillText(at, 2, pixelsOf(null, 0, at)[1] + 12);
});

$("grid").onchange = repaint;
for (const event of ["focus", "blur"]) $("picture").addEventListener(event, repaint);
