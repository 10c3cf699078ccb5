// SPDX-License-Identifier: Zlib
// The palette: all operations of the library's table and what else the page does, found by typing, with a form made of their arguments.
import { $, attempt, bytesOf, make } from "./elements.js";
import { ask, session } from "./session.js";
import { edit, redo, undo } from "./steps.js";

const dialog = $("palette");
const search = $("palette-search");
const list = $("palette-list");
const form = $("palette-form");
let commands = []; // { name, help, run } or { name, help, example, more, arguments, line, done }
let shown = [];
let chosen = 0;

/** More commands. */
export const addCommands = (...more) => { commands.push(...more); };
/** What fields are filled with first, by the kind of the argument: kind: (argument, operation) => text. */
export const suggestions = { layers: () => "", region: () => "", point: () => "", tile: () => "", file: () => "" };

addCommands({ name: "undo", help: "take the last step back", run: undo }, { name: "redo", help: "do again what was undone", run: redo },
  { name: "download", help: "get the map as it is now", run: () => $("save").click() });

// --------------------------------------------------------------------------------------------------- the list

export async function openPalette() {
  if (!commands.some(({ key }) => key))
    commands.push(...(await ask("operations")).map((one) => ({ ...one, line: (given) => ask("line", { key: one.key, given }), done: ({ script, shell }, files) => edit(script, { shell, files }) })));
  form.hidden = true;
  $("palette-find").hidden = false;
  search.value = "";
  showList();
  if (!dialog.open) dialog.showModal();
  search.focus();
}

/** That of the name first, then those that begin so, in whose name all words begin something, that tell of them. */
function showList() {
  const text = search.value.toLowerCase().trim();
  const words = text.split(/\s+/);
  const ranks = [({ name }) => name === text, ({ name }) => name.startsWith(text), ({ name }) => words.every((word) => ` ${name}`.includes(` ${word}`)),
    ({ name, help }) => words.every((word) => `${name} ${help}`.toLowerCase().includes(word))];
  shown = commands.map((one) => [ranks.findIndex((fits) => fits(one)), one]).filter(([rank]) => rank >= 0).sort((a, b) => a[0] - b[0]).map(([, one]) => one);
  list.replaceChildren(...shown.map((one, i) => make("li", { id: `command-${i}`, role: "option", onclick: () => choose(one) }, make("b", {}, one.name), ` ${one.help}`)));
  mark(0);
}

function mark(number) {
  chosen = Math.max(0, Math.min(number, shown.length - 1));
  [...list.children].forEach((one, i) => { one.ariaSelected = String(i === chosen); });
  search.setAttribute("aria-activedescendant", shown.length ? `command-${chosen}` : "");
  list.children[chosen]?.scrollIntoView({ block: "nearest" });
}

function choose(one) {
  if (one.run) {
    dialog.close();
    one.run();
  } else showForm(one);
}

search.oninput = showList;
search.onkeydown = (event) => {
  const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
  if (moves[event.key]) mark(chosen + moves[event.key]);
  else if (event.key === "Enter" && shown[chosen]) choose(shown[chosen]);
  else return;
  event.preventDefault();
};

// --------------------------------------------------------------------------------------------------- the form

const layersOf = () => session.map.groups.flatMap(({ layers }) => layers);
const offered = {
  layers: () => ["design", "physics", "tiles", "quads", "game", ...layersOf()],
  objects: () => [...session.map.objects, ...session.map.groups.map(({ name }, i) => ({ address: String(i), name })), ...layersOf()],
  group: () => session.map.groups.map(({ name }, i) => ({ address: String(i), name })),
};

/** A field for an argument: { element, read() }. */
function field(argument, id, command) {
  const { name, kind, choices, optional, repeats, help } = argument;
  if (kind === "flag") {
    const element = make("input", { type: "checkbox", id });
    return { element, read: () => element.checked || undefined };
  }
  if (choices?.length) {
    const element = make("select", { id }, ...(optional ? [make("option", { value: "" }, "(as usual)")] : []), ...choices.map((one) => make("option", { value: one }, one)));
    return { element, read: () => element.value || undefined };
  }
  if (kind === "file" || kind === "map") {
    const element = make("input", { type: "file", id, required: !optional, accept: kind === "map" ? ".map" : argument.accept ?? "" });
    return { element, files: () => element.files, read: () => element.files[0]?.name };
  }
  const element = make(repeats ? "textarea" : "input", { id, required: !optional, placeholder: repeats ? `${help}; one a line` : help ?? "", spellcheck: false });
  if (!repeats) element.autocomplete = "off";
  element.value = suggestions[kind]?.(argument, command.name) ?? "";
  const extra = offered[kind] && !repeats ? make("datalist", { id: `${id}-list` }, ...offered[kind]().map((one) => make("option", { value: one.address ?? one }, one.name ?? one))) : null;
  if (extra) element.setAttribute("list", extra.id);
  return { element, extra, read: () => (repeats ? (element.value.trim() ? element.value.trim().split("\n") : undefined) : element.value || undefined), label: name };
}

function showForm(command) {
  const fields = command.arguments.map((argument, i) => [argument, field(argument, `argument-${i}`, command)]);
  const preview = make("code", { id: "palette-line" });
  const trouble = make("p", { id: "palette-trouble", role: "status" });
  let line = null;
  const read = () => Object.fromEntries(fields.map(([{ name }, one]) => [name, one.read()]).filter(([, value]) => value !== undefined));
  const update = async () => {
    line = null;
    const missing = fields.filter(([{ optional }, one]) => !optional && !one.read()).map(([{ name }]) => name);
    trouble.textContent = missing.length ? `Still needed: ${missing.join(", ")}.` : "";
    if (missing.length) return;
    try {
      line = await command.line(read());
      preview.textContent = line.shell;
    } catch (error) {
      trouble.textContent = error.message;
    }
  };
  const submit = () => attempt(async () => {
    await update();
    const given = read();
    if (!line) return;
    const chosenFiles = fields.flatMap(([, one]) => [...one.files?.() ?? []]);
    const files = Object.fromEntries(await Promise.all(chosenFiles.map(async (one) => [one.name, await bytesOf(one)])));
    dialog.close();
    await command.done(line, files, given);
  });
  form.replaceChildren(make("h2", {}, command.name), make("p", {}, `${command.help[0].toUpperCase()}${command.help.slice(1)}.`), ...(command.more ? [make("p", {}, command.more)] : []),
    ...(command.example ? [make("p", {}, "For example: ", make("code", {}, command.example))] : []),
    ...fields.map(([{ name, optional }, { element, extra }]) => make("p", {}, make("label", { htmlFor: element.id }, name + (optional ? " (may be left out)" : "")), element, ...(extra ? [extra] : []))),
    make("p", {}, preview), trouble, make("button", { type: "submit" }, "Do it"), " ", make("button", { type: "button", onclick: openPalette }, "Back"));
  form.oninput = update;
  form.onsubmit = (event) => { event.preventDefault(); submit(); };
  form.hidden = false;
  $("palette-find").hidden = true;
  update();
  (form.querySelector("input, select, textarea") ?? form.querySelector("button")).focus();
}

/** The form of a command at once. */
export async function openCommand(name) {
  await openPalette();
  choose(commands.find((one) => one.name === name));
}

$("commands").onclick = () => attempt(openPalette);
addEventListener("keydown", (event) => {
  if (!session.map || event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  attempt(openPalette);
});
