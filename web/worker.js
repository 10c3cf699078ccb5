// SPDX-License-Identifier: Zlib
// All work on the map, beside the page. Each message { id, name, given } is answered by { id, value } or { id, error, crash }; what takes long
// tells { id, progress: [done, total] } besides.
import { mapWork } from "./worker_map.js";
import { lookWork } from "./worker_look.js";
import { checkWork } from "./worker_check.js";
import { addSteps, stepWork } from "./worker_steps.js";
import { paletteWork } from "./worker_palette.js";
import { placesWork } from "./worker_places.js";
import { shelfWork } from "./worker_shelf.js";
import { toolWork } from "./worker_tools.js";
import { brushWork } from "./worker_brush.js";
import { imageWork } from "./worker_images.js";
import { fieldWork } from "./worker_fields.js";
import { compareSteps, compareWork } from "./worker_compare.js";

addSteps(compareSteps);
const work = {
  ...mapWork, ...lookWork, ...placesWork, ...shelfWork, ...checkWork, ...stepWork, ...paletteWork, ...toolWork, ...brushWork, ...fieldWork, ...imageWork, ...compareWork,
  async open(given) {
    const told = await mapWork.open(given);
    stepWork.begin();
    return told;
  },
};

async function answer({ id, name, given }) {
  try {
    const value = await work[name](given, (...progress) => postMessage({ id, progress }));
    postMessage({ id, value }, [value?.data?.buffer, value?.picture].filter(Boolean));
  } catch (error) {
    postMessage({ id, error: error.message, crash: error.code === "crash" });
  }
}

let last = Promise.resolve(); // one after the other: some of the work waits for what it reads
onmessage = ({ data }) => { last = last.then(() => answer(data)); };
