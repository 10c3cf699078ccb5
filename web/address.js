// SPDX-License-Identifier: Zlib
// The address of the page: #map=URL opens a map, and view, layers, entities and time are kept in it, so that a link shows the same.
import { $, attempt, say } from "./elements.js";
import { fetchFile, on, session } from "./session.js";
import { shownAddresses, showOnly } from "./layers.js";
import { camera, draw, goTo, middle, moment } from "./look.js";

const PATIENCE = 300; // ms; browsers count how often an address is changed
const FARTHEST = 1e6; // tiles from the origin that a view may be
const escaped = (text) => encodeURIComponent(text).replace(/%(2C|2F|3A)/g, decodeURIComponent);
let wanted = read(location.href); // what is shown of a map once it is there
let timer = 0;

function read(address) {
  const pairs = new URL(address).hash.slice(1).split("&").map((pair) => [pair.split("=", 1)[0], pair.slice(pair.indexOf("=") + 1)]);
  try {
    return Object.fromEntries(pairs.map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    say("The address of the page is damaged: a % in it has no two digits behind. It is not followed.");
    return {};
  }
}

const rounded = (number) => Number(number.toPrecision(7));
function write() {
  const { from } = session.given;
  const given = { map: from, view: [...middle(), camera.scale].map(rounded).join(), layers: shownAddresses()?.join(), entities: $("entities").checked ? "1" : "",
    time: Math.round(moment.time) || "" };
  const text = Object.entries(given).filter(([, value]) => value || value === 0).map(([name, value]) => `${name}=${escaped(value)}`).join("&");
  history.replaceState(null, "", `#${text}`);
}
function writeSoon() {
  clearTimeout(timer);
  timer = setTimeout(write, PATIENCE);
}

/** Shows of the map what the address says. */
function apply() {
  const { view, layers, entities, time } = (wanted && (wanted.map ?? "") === session.given.from && wanted) || {};
  wanted = null;
  if (entities !== undefined) $("entities").checked = entities === "1";
  if (Number(time) > 0) moment.time = Number(time);
  showOnly(layers?.split(",") ?? null);
  const numbers = (view ?? "").split(",").map(Number);
  if (numbers.length === 3 && numbers.every((one) => Math.abs(one) <= FARTHEST)) goTo(...numbers);
  else draw();
}

/** Fetches the map that the address names, and opens it. This alone asks anything of the network. */
async function follow(open, address) {
  const mine = wanted = read(address);
  const { map } = mine;
  if (!map) return session.map && apply();
  const url = new URL(map, location.href);
  if (location.protocol === "file:") return say(`A page on a disk cannot fetch maps: download ${url} and open the file, or use the page on a server.`);
  if (session.map && session.given.from === map) return apply();
  if (url.protocol !== "https:" && url.origin !== location.origin)
    throw new Error(`${url} cannot be fetched: this page fetches from other servers by https: alone.`);
  say(`Fetching ${url} ...`);
  const file = await fetchFile(url).catch((error) => {
    if (error.stopped) return null;
    throw new Error(`${url} cannot be fetched: there is no such server, or it lets only its own pages read its files.`);
  });
  if (wanted !== mine) return undefined; // another one was asked for, or opened, meanwhile
  if (!file) return say(`Stopped: ${url} is not fetched.`);
  if (file.ok === false) throw new Error(`${url} cannot be fetched: the server says ${file.status} ${file.statusText}.`);
  const name = decodeURIComponent(url.pathname.split("/").pop()) || "fetched.map";
  return open([new File([file], name)], map);
}

/** open(files, from): opens what was fetched. */
export function followAddress(open) {
  addEventListener("hashchange", ({ newURL }) => attempt(() => follow(open, newURL)));
  if (location.hash) attempt(() => follow(open, location.href));
}

$("copy-link").onclick = () => attempt(async () => {
  write();
  await navigator.clipboard.writeText(location.href);
  say(session.given.from ? "The link is copied: it opens this view." : "The link is copied: it shows this view once the map is opened, which lies on your disk.");
});
on("opened", apply);
for (const event of ["moved", "shown"]) on(event, writeSoon);
