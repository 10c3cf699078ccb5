// SPDX-License-Identifier: Zlib
// A picture is drawn in strips, by all workers that have nothing else to do.
import { drawers } from "./session.js";

const STRIPS = 2; // for each worker, as some are slower

/** Draws (worker_look.js) on a canvas, which gets the picture's size, and returns it. */
export async function drawStrips(given, canvas) {
  const { width, height } = given;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const pen = canvas.getContext("2d");
  const rows = Math.ceil(height / (STRIPS * drawers().length));
  let next = 0;
  const drawSome = async (hand) => {
    while (next < height) {
      const first = next;
      next += rows;
      const { picture } = await hand.ask("draw", { ...given, rows: [first, Math.min(rows, height - first)] });
      pen.clearRect(0, first, width, picture.height);
      pen.drawImage(picture, 0, first);
      picture.close();
    }
  };
  await Promise.all(drawers().map(drawSome));
  return canvas;
}
