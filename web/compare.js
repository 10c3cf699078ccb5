// SPDX-License-Identifier: Zlib
// Comparing with a second map: words, frames, and its picture under a slider, flickering, or beside, seen by the same camera.
import { $, attempt, attend, counted, download, make, say } from "./elements.js";
import { ask, on, session } from "./session.js";
import { camera, moment, tour } from "./look.js";
import { shown } from "./layers.js";
import { addPainter, pixelsOf, repaint } from "./marks.js";
import { addCommands } from "./palette.js";

const canvas = $("other");
const under = $("picture"); // as large, also while the other one is hidden
const pen = canvas.getContext("2d");
const stage = $("stage");
const FLICKER = 700; // ms
const MOST = 400; // frames that are drawn
const COLORS = { added: "#16a34a", removed: "#dc2626" };
let other = null; // what the worker told of it
let places = []; // { change, address, group, kind, x, y, width, height } of all changes, in tiles as they are now
let last = null;
let [drawing, wanted, timer] = [false, false, 0];

const way = () => $("compare-way").value;

export async function compareWith(file) {
  other = await ask("compare", { ...session.given, bytes: await file.arrayBuffer(), path: file.name });
  $("compare").hidden = false;
  const changes = await showDifferences();
  say(changes.length ? `${session.map.path} differs from ${other.path} in ${counted(changes.length, "way")}, ${counted(places.length, "place")}.` : `${session.map.path} and ${other.path} are the same.`);
  changeWay();
  $("compare").scrollIntoView({ block: "nearest" });
}

function end() {
  other = null;
  places = [];
  $("compare").hidden = true;
  changeWay();
  return ask("compareEnd");
}

async function showDifferences() {
  if (!other) return [];
  const changes = await ask("differences");
  places = changes.flatMap(({ kind, before, after, regions, shift }, change) => regions.map(({ x, y, width, height }) =>
    ({ change, address: after ?? before, group: Number.parseInt(after ?? before, 10), kind, x: x + shift[0], y: y + shift[1], width, height })));
  $("changes").replaceChildren(...changes.map(({ text, regions }, i) => make("li", {}, regions.length
    ? make("button", { className: "place", onclick: tour(places.filter(({ change }) => change === i)) }, text) : text)));
  $("save-patch").disabled = !changes.some(({ kind }) => kind !== "unread");
  repaint();
  return changes;
}

// ---------------------------------------------------------------------------------------------- its picture

async function draw() {
  if (!other || drawing) {
    wanted = other !== null;
    return;
  }
  drawing = true;
  try {
    do {
      wanted = false;
      const ratio = Math.min(2, window.devicePixelRatio || 1);
      const [width, height] = [under.clientWidth, under.clientHeight].map((side) => Math.max(1, Math.round(side * ratio)));
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
      const region = [camera.x, camera.y, under.clientWidth / camera.scale, under.clientHeight / camera.scale];
      const { data, ...size } = await ask("drawOther", { region, width, height, time: moment.time, entities: shown().entities });
      last = { picture: await createImageBitmap(new ImageData(data, size.width, size.height)), region };
      paint();
    } while (wanted && other);
  } finally {
    drawing = false;
    canvas.ariaBusy = "false";
  }
}

/** What there is, where the camera is by now. */
function paint() {
  if (!last) return;
  const zoom = (camera.scale * canvas.width) / Math.max(1, under.clientWidth);
  const [x, y, width, height] = last.region;
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(last.picture, (x - camera.x) * zoom, (y - camera.y) * zoom, width * zoom, height * zoom);
}

function moved() {
  if (!other || way() === "alone") return;
  canvas.ariaBusy = "true";
  paint();
  attend($("slider"), draw);
}

function changeWay() {
  const now = other ? way() : "alone";
  clearInterval(timer);
  stage.classList.toggle("side", now === "side");
  canvas.hidden = now === "alone";
  $("slider").hidden = now !== "slider";
  slide();
  if (now === "flicker" && !matchMedia("(prefers-reduced-motion: reduce)").matches) timer = setInterval(flip, FLICKER);
  repaint();
  moved();
}
const flip = () => { canvas.hidden = !canvas.hidden; };
/** The second map is at the left of the slider. */
function slide() {
  canvas.style.clipPath = other && way() === "slider" ? `inset(0 ${100 - $("slider").value}% 0 0)` : "";
  repaint();
}

addPainter((over) => {
  if (!other) return;
  over.lineWidth = 2;
  for (const { group, kind, x, y, width, height } of places.slice(0, MOST)) {
    const [[left, top], [right, bottom]] = [pixelsOf(group, x, y), pixelsOf(group, x + width, y + height)];
    over.strokeStyle = COLORS[kind] ?? "#f59e0b";
    over.strokeRect(left - 2, top - 2, Math.max(4, right - left) + 4, Math.max(4, bottom - top) + 4);
  }
  if (way() !== "slider") return;
  const at = ($("slider").value / 100) * canvas.clientWidth;
  over.strokeStyle = "#fff";
  over.beginPath();
  over.moveTo(at, 0);
  over.lineTo(at, canvas.clientHeight);
  over.stroke();
});

// ---------------------------------------------------------------------------------------------------- input

$("compare-way").onchange = changeWay;
$("slider").oninput = slide;
$("compare-end").onclick = () => attempt(end);
$("save-patch").onclick = () => attempt(async () => download(await ask("patch"), `${session.map.path.replace(/\.map$/i, "")}.patch.json`));
$("compare-file").onchange = (event) => {
  const [file] = event.target.files;
  if (file) attempt(() => compareWith(file));
  event.target.value = "";
};
$("picture").addEventListener("keydown", (event) => { if (event.key === "f" && other && way() === "flicker") flip(); });
addCommands({ name: "compare with another map", help: "what differs, in words and in the picture", run: () => $("compare-file").click() });
for (const event of ["moved", "shown"]) on(event, moved);
on("opened", () => { if (other) attempt(end); });
on("changed", () => void attend($("changes"), showDifferences));
