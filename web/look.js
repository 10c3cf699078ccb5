// SPDX-License-Identifier: Zlib
// The picture of the map: the camera, what is drawn of it, and what is under the pointer. Others frame places in it.
import { $, make, say, trouble } from "./elements.js";
import { ask, on, session, tell } from "./session.js";
import { reveal, shown } from "./layers.js";
import { drawStrips } from "./strips.js";

const canvas = $("picture");
const pen = canvas.getContext("2d");
export const camera = { x: 0, y: 0, scale: 8 }; // top left corner in tiles, pixels of a tile
export const frames = { places: [], way: [] }; // { address, group, x, y, width, height }: of a layer, in tiles of its group; points of lines between them, in pairs
export const moment = { time: 0 }; // ms
const SMOOTH = 25; // ms that a picture takes at most while something moves
const REST = 120; // ms without a wish for another one
const blank = () => make("canvas", { width: 1, height: 1 });
let last = { picture: blank(), region: [0, 0, 0, 0] }; // the last picture and where it stands
let spare = blank(); // for the next one
let cost = 0; // ms of a sharp picture
let [asked, restless, wake] = [0, false, () => {}];
let size = [0, 0]; // of the picture on the page, when the camera was set
let whole = false; // all of the map is shown, and stays so when the page changes its size
let drawing = false;
let wanted = false;
let sharp = Promise.resolve(); // until the sharp picture is there

/** Shows a point of the world, in tiles, in the middle of the picture. */
export function goTo(x, y, scale = camera.scale) {
  whole = false;
  camera.scale = Math.min(64, Math.max(0.05, scale));
  size = [canvas.clientWidth, canvas.clientHeight];
  camera.x = x - size[0] / camera.scale / 2;
  camera.y = y - size[1] / camera.scale / 2;
  draw();
}
/** What is in the middle of the picture. */
export const middle = () => [camera.x + canvas.clientWidth / camera.scale / 2, camera.y + canvas.clientHeight / camera.scale / 2];

function showAll() {
  const { width, height } = session.map.area;
  goTo(width / 2, height / 2, Math.min(canvas.clientWidth / Math.max(1, width), canvas.clientHeight / Math.max(1, height)));
  whole = true;
}

const ratio = () => Math.min(2, window.devicePixelRatio || 1);

/** Shows what there is at once, moved to where it belongs, and asks for the sharp picture. One is on its way at a time. */
export function draw() {
  if (!session.map || session.opening) return;
  paint();
  const now = performance.now();
  restless = now - asked < REST;
  asked = now;
  wanted = true;
  wake();
  if (!drawing) sharp = drawSharp();
}

/** Draws until nothing more is wanted. What takes too long to be smooth is drawn coarser as long as something moves. */
async function drawSharp() {
  const { map } = session;
  drawing = true;
  canvas.ariaBusy = "true";
  try {
    while (wanted) {
      wanted = false;
      const coarse = !restless || cost <= SMOOTH ? 1 : cost <= 4 * SMOOTH ? 2 : 4;
      const begun = performance.now();
      const { x, y, scale } = camera;
      const [width, height] = [canvas.width, canvas.height].map((side) => Math.ceil(side / coarse));
      const region = [x, y, ...[width, height].map((side) => (side * coarse) / ratio() / scale)];
      const picture = await drawStrips({ region, width, height, time: moment.time, ...shown() }, spare);
      cost = (performance.now() - begun) * coarse ** 2;
      spare = last.picture;
      last = { picture, region };
      trouble($("stage"), "");
      paint();
      if (coarse === 1 || wanted) continue;
      await Promise.race([new Promise((done) => { setTimeout(done, REST); }), new Promise((done) => { wake = done; })]);
      restless = wanted;
      wanted = true;
    }
  } catch (error) {
    if (wanted && (error.stopped || map !== session.map)) return drawSharp();
    if (!error.stopped && !session.opening && map === session.map) trouble($("stage"), error.message); // who stops it says so
  }
  drawing = false;
  canvas.ariaBusy = "false";
  return undefined;
}

function paint() {
  const zoom = camera.scale * ratio();
  pen.clearRect(0, 0, canvas.width, canvas.height);
  const [x, y, width, height] = last.region;
  pen.drawImage(last.picture, (x - camera.x) * zoom, (y - camera.y) * zoom, width * zoom, height * zoom);
  tell("moved");
}

/** The picture as a PNG, when it is sharp. */
export async function png() {
  await sharp;
  return new Promise((done) => { canvas.toBlob(done, "image/png"); });
}

function zoomBy(factor, px = canvas.clientWidth / 2, py = canvas.clientHeight / 2) {
  if (!session.map) return;
  whole = false;
  const scale = Math.min(64, Math.max(0.05, camera.scale * factor));
  camera.x += px / camera.scale - px / scale;
  camera.y += py / camera.scale - py / scale;
  camera.scale = scale;
  draw();
}

function moveBy(dx, dy) {
  whole = false;
  camera.x -= dx / camera.scale;
  camera.y -= dy / camera.scale;
  draw();
}

// --------------------------------------------------------------------------------------------------- places

/** Where players are when a group shows them a point of its own in the middle. */
export function worldOf(group, ...point) {
  const { parallax, offset } = session.map.groups[group] ?? { parallax: [100, 100], offset: [0, 0] };
  return point.map((at, i) => (at - offset[i] / 32) * (parallax[i] ? 100 / parallax[i] : 1));
}

/** Frames places, and shows one of them, the first one. way: points between which lines are drawn, in pairs. */
export function look(places, number = 0, way = []) {
  Object.assign(frames, { places, way });
  const { group, x, y, width, height } = places[number];
  goTo(...worldOf(group, x + width / 2, y + height / 2), Math.min(32, canvas.clientWidth / (width + 20), canvas.clientHeight / (height + 12)));
}

/** What a button for places does: it frames them and shows the next one with each click. others: are framed, too; way(place): lines from it. */
export function tour(places, others = [], way = () => []) {
  let at = -1;
  return () => {
    at = (at + 1) % places.length;
    reveal(places[at].address);
    look([...places, ...others], at, way(places[at]));
    if (places.length > 1) say(`Place ${at + 1} of ${places.length}. Click again for the next one.`);
  };
}

/** Takes the frames away. */
export const unframe = () => Object.assign(frames, { places: [], way: [] });

// ---------------------------------------------------------------------------------------------------- input

let tileNumber = 0;
const valuesOf = ({ number, delay, force, maxSpeed, angle }) => Object.entries({ number, delay, force, "at most": maxSpeed, angle }).filter(([, value]) => value).map(([name, value]) => `, ${name} ${value}`).join("");
const flagsOf = (flags) => [[1, "mirrored"], [2, "upside down"], [8, "turned right"]].filter(([bit]) => flags & bit).map(([, word]) => `, ${word}`).join("");
/** A tile in words: of physics layers what it does, of the design how it is drawn. */
const wordsOf = (tile) => tile.kind ? `${tile.title || `tile ${tile.index}`}${valuesOf(tile)} (${tile.kind})`
  : `tile ${tile.index}${tile.image === undefined ? "" : ` of ${tile.image}`}${flagsOf(tile.flags)} (${`${tile.address} ${tile.name}`.trim()})`;
async function tellTile(px, py) {
  if (!session.map) return;
  const [x, y] = [camera.x + px / camera.scale, camera.y + py / camera.scale];
  const number = ++tileNumber;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const region = [camera.x, camera.y, width / camera.scale, height / camera.scale];
  const asked = ask("tiles", { x, y, at: [px, py], width, height, region, time: moment.time, ...shown() });
  const tiles = await asked.catch((error) => ({ trouble: error.stopped ? "" : error.message }));
  if (number !== tileNumber) return;
  if (tiles.trouble !== undefined) {
    $("tile").textContent = tiles.trouble;
    return;
  }
  const { area } = session.map;
  const words = [...(tiles.some(({ kind }) => kind) ? [] : ["air"]), ...tiles.map(wordsOf)];
  $("tile").textContent = x < 0 || y < 0 || x >= area.width || y >= area.height ? "" : `${Math.floor(x)},${Math.floor(y)}: ${words.join("; ")}`;
}
/** Who has no pointer is told of the middle. */
const tellMiddle = () => tellTile(canvas.clientWidth / 2, canvas.clientHeight / 2);

const fingers = new Map();
canvas.onpointerdown = (event) => {
  canvas.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
};
canvas.onpointermove = (event) => {
  const before = fingers.get(event.pointerId);
  if (!before) return void tellTile(event.offsetX, event.offsetY);
  const now = [event.offsetX, event.offsetY];
  const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
  fingers.set(event.pointerId, now);
  if (other) {
    const apart = ([x, y]) => Math.hypot(x - other[0], y - other[1]);
    zoomBy(apart(now) / Math.max(1, apart(before)), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
  }
  moveBy((now[0] - before[0]) / (other ? 2 : 1), (now[1] - before[1]) / (other ? 2 : 1));
};
canvas.onpointerup = canvas.onpointercancel = (event) => { fingers.delete(event.pointerId); };
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoomBy(2 ** (-event.deltaY / 300), event.offsetX, event.offsetY);
}, { passive: false });
const keys = { ArrowLeft: () => moveBy(80, 0), ArrowRight: () => moveBy(-80, 0), ArrowUp: () => moveBy(0, 80), ArrowDown: () => moveBy(0, -80),
  "+": () => zoomBy(1.5), "=": () => zoomBy(1.5), "-": () => zoomBy(1 / 1.5), 0: showAll };
canvas.onkeydown = (event) => {
  if (!session.map || !keys[event.key] || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  keys[event.key]();
  tellMiddle();
};

new ResizeObserver(() => { // the middle stays
  camera.x += (size[0] - canvas.clientWidth) / camera.scale / 2;
  camera.y += (size[1] - canvas.clientHeight) / camera.scale / 2;
  size = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio()));
  canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio()));
  if (whole) showAll();
  else draw();
}).observe(canvas);
on("opened", () => {
  last = { picture: blank(), region: [0, 0, 0, 0] };
  [moment.time, cost] = [0, 0];
  unframe();
  showAll();
});
on("changed", draw);
on("shown", draw);
