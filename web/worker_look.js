// SPDX-License-Identifier: Zlib
// In the worker: pictures, and tiles in words.
import { layersChangedSince, opened, opening } from "./worker_map.js";

let renderer = null;
let drawn = ""; // what the renderer was made for
let at = 0; // the version of the map that it has

function prepared({ layers, entities }) {
  const words = JSON.stringify([layers, entities]);
  const changed = renderer && drawn === words ? layersChangedSince(at) : null;
  const before = renderer;
  renderer = null; // should something fail, it is made anew
  if (changed) for (const address of changed) before.update(opened(), address);
  else before?.free();
  renderer = changed ? before : opened().renderer({ layers, entities, updates: true });
  [drawn, at] = [words, opening()];
  return renderer;
}

/** The tiles of the design at a point of a picture, in pixels, from front to back: of layers that are shown there. */
function designAt({ at, x, y, width, height, region, time, ...look }) {
  const { opacities } = prepared(look);
  const clips = ({ useClipping, clipX, clipY, clipWidth, clipHeight }) => useClipping
    && !(x * 32 >= clipX && y * 32 >= clipY && x * 32 < clipX + clipWidth && y * 32 < clipY + clipHeight);
  let number = 0;
  return opened().groups.flatMap((group, i) => {
    const [left, top] = renderer.fromPicture(i, at, width, height, { region, time }).map(Math.floor);
    return group.layers.flatMap(({ kind, tiles, address, name, image }) => {
      const seen = !opacities || opacities[number] > 0;
      number++;
      if (kind !== "tiles" || !seen || clips(group) || !(left >= 0 && top >= 0 && left < tiles.width && top < tiles.height)) return [];
      const { index, flags } = tiles.at(left, top);
      return index ? [{ address, name, index, flags, image: image?.name }] : [];
    });
  }).reverse();
}

export const lookWork = {
  /**
   * Rows (the first, how many) of a picture of a region of the map: [x, y, width, height] in tiles. `layers`: their addresses with
   * commas between.
   */
  async draw({ region, width, height, layers, entities, time, rows }) {
    const { data, ...size } = prepared({ layers, entities }).picture(width, height, { region, time, rows });
    return { picture: await createImageBitmap(new ImageData(data, size.width, size.height)) };
  },
  /** What is at a point of the picture: physics tiles at x and y, which are counted in tiles, and those of the design. */
  tiles: (given) => [...opened().tilesAt(Math.floor(given.x), Math.floor(given.y)), ...designAt(given)],
};
