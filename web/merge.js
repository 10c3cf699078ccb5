// SPDX-License-Identifier: Zlib
// Other maps, games and patches that are brought into the open map: what three maps become, with conflicts chosen one by one.
import { $, attempt, counted, make, say } from "./elements.js";
import { ask, on } from "./session.js";
import { tour } from "./look.js";
import { addCommands } from "./palette.js";
import { does } from "./steps.js";

const WAYS = { ours: "as here", theirs: "as in theirs", both: "both" };
let files = {}; // [base and] theirs, by name
let resolve = {}; // what was chosen, by the words for it

/** Words that mean what a conflict is about. */
const wordsFor = ({ kind, ours, theirs, base }) => (kind === "setting" ? "settings" : ours ?? theirs ?? base);

async function showConflicts() {
  const all = Object.values(files);
  const { conflicts, changes } = await ask("conflicts", { base: all.length > 1 ? all[0] : null, theirs: all.at(-1), resolve });
  $("merge").hidden = false;
  const open = conflicts.filter((one) => one.open).length;
  say(`Theirs would bring ${counted(changes, "change")}; ${counted(conflicts.length, "conflict")}, not chosen yet: ${open}.`);
  $("conflicts").replaceChildren(...conflicts.map((one) => {
    const words = wordsFor(one);
    const chosen = make("select", { ariaLabel: one.text, onchange: () => attempt(() => choose(words, chosen.value)) },
      make("option", { value: "" }, "not chosen: as here"), ...Object.entries(WAYS).map(([value, text]) => make("option", { value }, text)));
    chosen.value = resolve[words] ?? "";
    const address = one.ours ?? one.base;
    const places = one.regions.map(({ x, y, ...size }) => ({ address, group: Number.parseInt(address, 10), x: x + one.shift[0], y: y + one.shift[1], ...size }));
    return make("li", {}, places.length ? make("button", { className: "place", onclick: tour(places) }, one.text) : make("span", {}, one.text), chosen);
  }));
}

function choose(words, value) {
  if (value) resolve[words] = value;
  else delete resolve[words];
  return showConflicts();
}

const end = () => { $("merge").hidden = true; };
$("merge-end").onclick = end;
on("opened", end);
$("merge-do").onclick = () => attempt(async () => {
  end();
  await does("merge", { files, resolve: { ...resolve } });
});

const line = (shell) => async () => ({ shell });
addCommands(
  { name: "merge", help: "bring together what two people did to one map: this map, theirs, and the one from which both were made",
    arguments: [{ name: "theirs", kind: "map" }, { name: "base", kind: "map", optional: true }], line: line("teemap merge"),
    done: async (_, given, { theirs, base }) => {
      [files, resolve] = [Object.fromEntries([base, theirs].filter(Boolean).map((name) => [name, given[name]])), {}];
      if (theirs === base) return say("Theirs and the base need different names.");
      return showConflicts();
    } },
  { name: "apply a patch", help: "do what a patch says, of 'Save as patch' or teemap diff -o", arguments: [{ name: "patch", kind: "file", accept: ".json" },
    { name: "partial", kind: "flag", optional: true }], line: line("teemap patch"), done: (_, given, { partial }) => does("patch", { files: given, partial }) },
  { name: "convert", help: "make it a map of another game; what that cannot hold is told", arguments: [
    { name: "to", kind: "choice", choices: ["ddnet", "teeworlds06", "teeworlds07"] }, { name: "way", kind: "choice", choices: ["embed", "rename", "keep"], optional: true }],
  line: line("teemap convert"), done: (_, __, given) => does("convert", given) },
  { name: "optimize and pack", help: "take out what nothing shows or uses, and pack all as small as it gets",
    arguments: [{ name: "images", kind: "flag", optional: true }, { name: "colors", kind: "flag", optional: true }], line: line("teemap optimize"),
    done: async (_, __, given) => {
      const before = (await ask("sizes")).saved;
      if (!await does("optimize", given)) return;
      const { packed } = await ask("sizes");
      say(`${$("status").textContent} ${before.toLocaleString("en")} bytes before, ${packed.toLocaleString("en")} after.`);
    } });
