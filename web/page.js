// SPDX-License-Identifier: Zlib
// The page: opens maps, shows them, lists what is wrong with them. What is slow is done by worker.js.
const $ = (name) => document.getElementById(name);
const canvas = $("picture");
const pen = canvas.getContext("2d");
const worker = new Worker("worker.js", { type: "module" });
const waiting = new Map();
let next = 0;
let map = null; // what worker.js told of it
let changed = false;
const camera = { x: 0, y: 0, scale: 8 }; // top left corner in tiles, pixels of a tile
let framed = []; // places of the finding that is looked at
let last = null; // the last picture and where it stands
let drawing = false;
let wanted = false;

worker.onmessage = ({ data: { id, value, error } }) => {
  const { done, fail } = waiting.get(id);
  waiting.delete(id);
  if (error === undefined) done(value);
  else fail(new Error(error));
};
const ask = (name, given) => new Promise((done, fail) => {
  waiting.set(++next, { done, fail });
  worker.postMessage({ id: next, name, given });
});
const say = (text) => { $("status").textContent = text; };

/** An element with properties and what is in it; texts of maps are never markup. */
function make(tag, properties = {}, ...within) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...within);
  return made;
}

// ------------------------------------------------------------------------------------------------- opening

async function open(files) {
  const file = files.find(({ name }) => name.toLowerCase().endsWith(".map")) ?? files.find(({ name }) => !name.toLowerCase().endsWith(".png"));
  if (!file) return say("That is no map: choose a file that ends with .map.");
  if (changed && !confirm("The map has changes that are not downloaded. Open another one all the same?")) return undefined;
  say(`Opening ${file.name} ...`);
  try {
    const images = Object.fromEntries(await Promise.all(files.filter((one) => /\.png$/i.test(one.name))
      .map(async (one) => [one.name.slice(0, -4), new Uint8Array(await one.arrayBuffer())])));
    map = await ask("open", { bytes: await file.arrayBuffer(), path: file.name, images });
  } catch (error) {
    return say(`${file.name}: ${error.message}`);
  }
  changed = false;
  last = null;
  $("welcome").hidden = true;
  $("save").disabled = false;
  showLayers();
  showAll();
  const { area, missing } = map;
  const lacks = missing.length ? ` Images that it only names: ${missing.join(", ")}.` : "";
  say(`${file.name}: a map of ${map.game}, ${area.width} x ${area.height} tiles.${lacks}`);
  return showFindings();
}

async function download() {
  const bytes = await ask("save");
  const link = make("a", { href: URL.createObjectURL(new Blob([bytes])), download: map.path });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  changed = false;
}

// -------------------------------------------------------------------------------------------------- drawing

function showAll() {
  const { width, height } = map.area;
  camera.scale = Math.min(canvas.clientWidth / Math.max(1, width), canvas.clientHeight / Math.max(1, height));
  camera.x = (width - canvas.clientWidth / camera.scale) / 2;
  camera.y = (height - canvas.clientHeight / camera.scale) / 2;
  draw();
}

const ratio = () => Math.min(2, window.devicePixelRatio || 1);

/** Shows what there is at once, moved to where it belongs, and asks for the sharp picture. One is on its way at a time. */
async function draw() {
  if (!map) return;
  paint();
  wanted = true;
  if (drawing) return;
  drawing = true;
  canvas.ariaBusy = "true";
  try {
    while (wanted) {
      wanted = false;
      const { x, y, scale } = camera;
      const [width, height] = [canvas.width, canvas.height];
      const region = [x, y, width / ratio() / scale, height / ratio() / scale];
      const entities = $("entities").checked ? entityLayers() : false;
      const layers = shownLayers();
      const { data, ...size } = await ask("draw", { region, width, height, layers, entities });
      last = { picture: await createImageBitmap(new ImageData(data, size.width, size.height)), region };
      paint();
    }
  } catch (error) {
    say(error.message);
  }
  drawing = false;
  canvas.ariaBusy = "false";
}

function paint() {
  const zoom = camera.scale * ratio();
  const at = ([x, y, width, height]) => [(x - camera.x) * zoom, (y - camera.y) * zoom, width * zoom, height * zoom];
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, canvas.width, canvas.height);
  if (last) pen.drawImage(last.picture, ...at(last.region));
  pen.lineWidth = 3;
  pen.strokeStyle = "#f97316";
  for (const { x, y, width, height } of framed) {
    const [left, top, wide, high] = at([x, y, width, height]);
    pen.strokeRect(left - 3, top - 3, Math.max(4, wide) + 6, Math.max(4, high) + 6);
  }
}

function zoomBy(factor, px = canvas.clientWidth / 2, py = canvas.clientHeight / 2) {
  if (!map) return;
  const scale = Math.min(64, Math.max(0.05, camera.scale * factor));
  camera.x += px / camera.scale - px / scale;
  camera.y += py / camera.scale - py / scale;
  camera.scale = scale;
  draw();
}

function moveBy(dx, dy) {
  camera.x -= dx / camera.scale;
  camera.y -= dy / camera.scale;
  draw();
}

// --------------------------------------------------------------------------------------------------- layers

const boxes = () => [...$("layers").querySelectorAll("input")];
const physics = new Set(["game", "front", "tele", "speedup", "switch", "tune"]);
const design = new Set(["tiles", "quads"]);
const shownLayers = () => boxes().filter((box) => box.checked && design.has(box.dataset.kind)).map((box) => box.value).join() || "-design";
const entityLayers = () => boxes().filter((box) => box.checked && physics.has(box.dataset.kind)).map((box) => box.dataset.kind).join() || false;

function showLayers() {
  $("layers").replaceChildren(...map.groups.map((group, i) => make("li", {}, `${i} ${group.name || "group"}`, make("ul", {}, ...group.layers.map((layer) => {
    const box = make("input", { type: "checkbox", checked: true, value: layer.address, onchange: draw });
    box.dataset.kind = layer.kind;
    return make("li", {}, make("label", {}, box, ` ${layer.name || layer.kind}`));
  })))));
}

// ------------------------------------------------------------------------------------------------- findings

async function showFindings() {
  const found = await ask("findings");
  $("findings").replaceChildren(...(found.length ? found.map(findingItem) : [make("li", {}, "Nothing was found.")]));
}

function findingItem({ id, severity, place, text, why, how, places, fix }) {
  const words = make("span", { className: severity }, `${place ? place + ": " : ""}${text} [${id}]`);
  const item = make("li", {}, places.length ? make("button", { className: "place", onclick: () => look(places) }, words) : words);
  if (why) item.append(make("p", {}, `${why} ${how}`));
  if (fix) item.append(make("button", { onclick: () => mend(fix), title: `teemap edit ${fix}` }, "Fix"));
  return item;
}

/** Frames places, and shows the first one. */
function look(places) {
  framed = places;
  const [{ x, y, width, height }] = places;
  camera.scale = Math.min(32, canvas.clientWidth / (width + 20), canvas.clientHeight / (height + 12));
  camera.x = x + width / 2 - canvas.clientWidth / camera.scale / 2;
  camera.y = y + height / 2 - canvas.clientHeight / camera.scale / 2;
  draw();
}

async function mend(line) {
  try {
    const { changes, ...told } = await ask("fix", { line });
    map = told;
    changed = true;
    framed = [];
    say(`Done: teemap edit ${line} (${changes} ${changes === 1 ? "change" : "changes"}).`);
    showLayers();
    draw();
    await showFindings();
  } catch (error) {
    say(error.message);
  }
}

// ---------------------------------------------------------------------------------------------------- input

let asked = 0;
async function tellTile(px, py) {
  if (!map) return;
  const [x, y] = [Math.floor(camera.x + px / camera.scale), Math.floor(camera.y + py / camera.scale)];
  const number = ++asked;
  const tiles = await ask("tiles", { x, y });
  if (number !== asked) return;
  const { width, height } = map.area;
  $("tile").textContent = x < 0 || y < 0 || x >= width || y >= height ? "" : `${x},${y}: ` + (tiles.map(({ kind, title, index }) => `${title || `tile ${index}`} (${kind})`).join("; ") || "air");
}

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
  if (!map || !keys[event.key] || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  keys[event.key]();
};

$("files").onchange = (event) => { open([...event.target.files]); event.target.value = ""; };
$("save").onclick = download;
$("entities").onchange = draw;
for (const name of ["dragover", "dragleave", "drop"])
  addEventListener(name, (event) => {
    event.preventDefault();
    $("view").classList.toggle("over", name === "dragover");
    if (name === "drop") open([...event.dataTransfer.files]);
  });
addEventListener("beforeunload", (event) => { if (changed) event.preventDefault(); });
new ResizeObserver(() => {
  canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio()));
  canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio()));
  draw();
}).observe(canvas);
