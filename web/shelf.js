// SPDX-License-Identifier: Zlib
// Images that maps only name: of a folder of the game, which is remembered, of single files, or from an address that the site sets
// (<html data-mapres="mapres/">).
import { $, attempt, bytesOf, counted, say } from "./elements.js";
import { ask, renewWith, session } from "./session.js";

const { mapres } = document.documentElement.dataset;
let own = {}; // where the browser remembers nothing

/** What opening a map needs besides its own files. */
export const fromShelf = () => ({ shelf: own, base: mapres ? new URL(mapres, location.href).href : null });

const pathOf = (file) => file.webkitRelativePath || file.name;

/** Keeps the PNG files of a folder: those of folders called mapres, where there are some. */
export const keepFolder = (files) => attempt(async () => {
  const pictures = files.filter((file) => /\.png$/i.test(file.name));
  const inside = pictures.filter((file) => /(^|\/)mapres\//.test(pathOf(file)));
  const chosen = inside.length ? inside : pictures;
  if (!chosen.length) return say("There is no image in that folder: take the folder of the game, or its data/mapres.");
  say(`Keeping ${counted(chosen.length, "image")} ...`);
  const images = Object.fromEntries(await Promise.all(chosen.map(async (file) => [file.name.replace(/\.png$/i, ""), await bytesOf(file)])));
  const remembered = await ask("keep", images);
  if (!remembered) own = { ...own, ...images };
  if (session.map) await renewWith(fromShelf());
  const lacks = session.map?.missing.length ? ` Still missing: ${session.map.missing.join(", ")}.` : "";
  say(`${counted(chosen.length, "image")} of the game: ${remembered ? "remembered in this browser" : "here until the page is closed"}.${lacks}`);
  return undefined;
});

/** All files of dropped folders; null: there is none among what was dropped. */
export async function droppedFolder({ items }) {
  const entries = [...items].map((one) => one.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some(({ isDirectory }) => isDirectory)) return null;
  const files = [];
  const walk = async (entry) => {
    if (entry.isFile) return void files.push(await new Promise((done, fail) => { entry.file((file) => done(Object.defineProperty(file, "webkitRelativePath", { value: entry.fullPath })), fail); }));
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((done, fail) => { reader.readEntries(done, fail); });
      if (!some.length) return undefined;
      for (const one of some) await walk(one);
    }
  };
  for (const entry of entries) await walk(entry);
  return files;
}

$("game-folder").onchange = ({ target }) => { keepFolder([...target.files]); target.value = ""; };
