// SPDX-License-Identifier: Zlib
// What takes long: how far it is, and a button that stops it.
import { $, attempt, say } from "./elements.js";
import { on, pending, stop } from "./session.js";

const WORDS = { fetch: "Fetching", open: "Opening", findings: "Looking for what is wrong", step: "Working", travel: "Going back", replay: "Doing all steps again", save: "Packing",
  draw: "Drawing", compare: "Comparing", merge: "Merging" };
const PATIENCE = 500; // ms
let timer = 0;

function show() {
  clearTimeout(timer);
  const [oldest] = pending();
  const waited = oldest ? performance.now() - oldest.since : 0;
  $("busy").hidden = waited < PATIENCE;
  if (!oldest) return;
  if (waited >= PATIENCE) {
    const [done, total] = oldest.progress ?? [];
    if (total) $("progress").value = done / total;
    else $("progress").removeAttribute("value");
    $("busy-words").textContent = `${WORDS[oldest.name] ?? "Working"}, ${Math.round(waited / 1000)} s`;
  }
  timer = setTimeout(show, PATIENCE);
}

on("busy", show);
$("stop").onclick = () => attempt(async () => {
  if (await stop()) say("Stopped. The map is as it was before.");
});
