// SPDX-License-Identifier: Zlib
// The page: opens maps and gives them back. look.js shows them, check.js lists what is wrong with them, steps.js what was done to them.
import { $, attempt, bytesOf, download, say } from "./elements.js";
import { ask, on, openMap, renewWith, resumeMap, session, tell, unsaved } from "./session.js";
import { redo, undo } from "./steps.js";
import "./append.js";
import "./busy.js";
import { lossWords } from "./check.js";
import "./look.js";
import { followAddress } from "./address.js";
import { compareWith } from "./compare.js";
import "./grid.js";
import { addFiles } from "./images.js";
import "./merge.js";
import { offerWork } from "./journal.js";
import "./motion.js";
import { addCommands } from "./palette.js";
import "./places.js";
import "./properties.js";
import "./settings.js";
import "./shortcuts.js";
import { droppedFolder, fromShelf, keepFolder } from "./shelf.js";
import "./tools.js";
import "./tree.js";

const MOST = 12; // names that are said
const ending = (name) => name.slice(name.lastIndexOf(".") + 1).toLowerCase();
/** Files by their names without what stands behind the dot. */
const named = async (files, read) => Object.fromEntries(await Promise.all(files.map(async (file) => [file.name.slice(0, file.name.lastIndexOf(".")), await read(file)])));

/** from: the address that the map was fetched from. */
async function open(files, from = "") {
  const of = (...kinds) => files.filter(({ name }) => kinds.includes(ending(name)));
  const beside = of("png", "rules");
  if (files.length && beside.length === files.length) return openBeside(of("png"), of("rules"));
  const [file = files.find((one) => !beside.includes(one)), older] = of("map").sort((a, b) => b.lastModified - a.lastModified);
  if (files.length && of("opus").length === files.length) return addFiles(files);
  if (!file) return say("That is no map: choose a file that ends with .map.");
  if (unsaved() && !confirm("The map has changes that are not downloaded. Open another one all the same?")) return undefined;
  say(`Opening ${file.name} ...`);
  try {
    const [bytes, images, rules] = await Promise.all([file.arrayBuffer(), named(of("png"), bytesOf),
      named(of("rules"), (one) => one.text())]);
    await openMap({ bytes, path: file.name, images, rules, from, ...fromShelf() }, greet);
    if (older) await compareWith(older);
  } catch (error) {
    if (!error.stopped) say(`${file.name}: ${error.message}`);
  }
}

/** Images and rules alone belong to the map that is open. */
const openBeside = (pictures, texts) => attempt(async () => {
  if (!session.map) return say("Open a map first: images and rules belong to one.");
  const [images, rules] = await Promise.all([named(pictures, bytesOf), named(texts, (one) => one.text())]);
  await renewWith({ images: { ...session.given.images, ...images }, rules: { ...session.given.rules, ...rules } });
  const names = [...pictures, ...texts].map(({ name }) => name);
  return say(`Used with the map: ${names.slice(0, MOST).join(", ")}.${lackWords()}`);
});

/** The images that are missing, in words. */
function lackWords() {
  const { missing } = session.map;
  const more = missing.length > MOST ? ` and ${missing.length - MOST} more` : "";
  return missing.length ? ` It uses images of the game that are not here: ${missing.slice(0, MOST).join(", ")}${more}. Choose 'Images of the game' to see them.` : "";
}

/** Says what was opened, before the rest of the page has looked at it. */
function greet() {
  document.body.classList.remove("empty");
  $("welcome").hidden = true;
  $("save").disabled = $("commands").disabled = false;
  const { path, game, area, unread } = session.map;
  const kept = unread.length ? ` Not read, as it is too long or damaged, and saved as it is: ${unread.join(", ")}.` : "";
  say(`${path}: a map of ${game}, ${area.width} x ${area.height} tiles.${lackWords()}${kept}${lossWords()}`);
}

const save = (name = session.map.path) => attempt(async () => {
  const { at } = session;
  const done = (kind) => session.steps.slice(0, at).some(({ name }) => name === kind);
  download(await ask("save", { smaller: done("optimize"), rewrite: done("convert") || session.more.damage !== "" }), name);
  session.downloaded = at;
  tell("saved");
  say(`Downloaded: ${name}. It is where your browser keeps what it downloads.`);
});

async function drop(given) {
  const files = [...given.files]; // before it is waited for: what was dropped is gone then
  const inFolders = await droppedFolder(given);
  return inFolders ? keepFolder(inFolders) : open(files);
}

/** What is to be downloaded stands out. */
function showUnsaved() {
  $("save").classList.toggle("main", unsaved());
  document.title = `${unsaved() ? "* " : ""}${session.map.path} - teemap`;
}
for (const event of ["opened", "changed", "saved"]) on(event, showUnsaved);

$("open-first").onclick = () => $("files").click();
$("files").onchange = (event) => { open([...event.target.files]); event.target.value = ""; };
$("save").onclick = () => save();
function saveAs() {
  $("save-as-name").value = session.map.path.replace(/\.map$/i, "");
  $("save-as").showModal();
  $("save-as-name").select();
}
$("save-as-form").onsubmit = (event) => {
  event.preventDefault();
  $("save-as").close();
  save(`${$("save-as-name").value.trim().replace(/[/\\]/g, "-").replace(/\.map$/i, "")}.map`);
};
$("save-as-end").onclick = () => $("save-as").close();
addCommands({ name: "download as", help: "get the map under another name (Ctrl+Shift+S)", run: saveAs });
for (const name of ["dragover", "dragleave", "drop"])
  addEventListener(name, (event) => {
    event.preventDefault();
    $("view").classList.toggle("over", name === "dragover");
    if (name === "drop") drop(event.dataTransfer);
  });
addEventListener("paste", ({ clipboardData }) => { if (clipboardData?.files.length) drop(clipboardData); });
addEventListener("beforeunload", (event) => { if (unsaved()) event.preventDefault(); });
addEventListener("keydown", (event) => {
  if (!session.map || !(event.ctrlKey || event.metaKey) || event.altKey) return;
  const typing = event.target.matches("input:not([type=checkbox]):not([type=range]), textarea, select");
  if (typing && event.key.toLowerCase() !== "s") return; // a field has its own undo
  const work = { z: event.shiftKey ? redo : undo, y: redo, s: event.shiftKey ? saveAs : save }[event.key.toLowerCase()];
  if (!work) return;
  event.preventDefault();
  work();
});
offerWork((given, work) => resumeMap({ ...given, ...fromShelf() }, work, greet));
$("new-map").onsubmit = (event) => {
  event.preventDefault();
  const [width, height] = [$("new-width"), $("new-height")].map(({ value }) => Number(value));
  attempt(async () => open([new File([await ask("newMap", { width, height, game: $("new-game").value })], `${$("new-name").value.trim().replace(/[/\\]/g, "-")}.map`)]));
};
followAddress(open);
