// SPDX-License-Identifier: Zlib
// In the worker: pictures, and tiles in words.
import { opened, opening } from "./worker_map.js";

let renderer = null;
let drawn = ""; // what the renderer was made for

export const lookWork = {
  /**
   * Rows (the first, how many) of a picture of a region of the map: [x, y, width, height] in tiles. `layers`: their addresses with
   * commas between.
   */
  async draw({ region, width, height, layers, entities, time, rows }) {
    const words = JSON.stringify([opening(), layers, entities]);
    if (drawn !== words) {
      renderer?.free();
      renderer = null;
      renderer = opened().renderer({ layers, entities });
      drawn = words;
    }
    const { data, ...size } = renderer.picture(width, height, { region, time, rows });
    return { picture: await createImageBitmap(new ImageData(data, size.width, size.height)) };
  },
  tiles: ({ x, y }) => opened().tilesAt(x, y),
};
