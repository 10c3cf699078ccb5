// SPDX-License-Identifier: Zlib
// Motion: envelopes go on while the page plays, or stand at a time. And pictures of the view.
import { $, attempt, download, say } from "./elements.js";
import { on, session, tell } from "./session.js";
import { draw, moment, png } from "./look.js";

const play = $("play");
const TOLD = 100; // ms between times that the field shows
let told = 0;
let begun = 0; // performance.now() when time was 0; 0: nothing moves

function frame() {
  if (!begun) return;
  moment.time = performance.now() - begun;
  if (document.activeElement !== $("time") && moment.time - told > TOLD) $("time").value = Math.round(told = moment.time);
  draw();
  requestAnimationFrame(frame);
}

function stand() {
  begun = 0;
  play.textContent = "Play motion";
  $("time").value = Math.round(moment.time);
}

play.onclick = () => {
  if (!session.map) return;
  if (begun) {
    stand();
    tell("shown");
    return;
  }
  begun = performance.now() - moment.time;
  told = 0;
  play.textContent = "Stop motion";
  frame();
};
$("time").onchange = ({ target }) => {
  moment.time = Math.max(0, Number(target.value) || 0);
  stand();
  tell("shown");
};
on("opened", stand);
on("shown", () => { if (!begun) stand(); });

$("save-picture").onclick = () => attempt(async () => {
  if (session.map) download(await png(), session.map.path.replace(/(\.map)?$/i, ".png"));
});
$("copy-picture").onclick = () => attempt(async () => {
  if (!session.map) return;
  if (!window.ClipboardItem) return void say("This browser copies no pictures: save it.");
  await navigator.clipboard.write([new ClipboardItem({ "image/png": png() })]);
  say("The picture is copied.");
});
