// SPDX-License-Identifier: Zlib
// The server commands of the map as a list: each line is changed where it stands, an empty one goes; what is wrong
// with it stands beside it, as the list of findings has it.
import { $, attempt, attend, make, say } from "./elements.js";
import { ask, on, perMap, session } from "./session.js";
import { edit, word } from "./steps.js";
import { mindTyping, renewFields } from "./typed.js";

const panel = $("settings-panel");
const state = perMap(() => ({ findings: [] })); // the last ones
let number = 0;

function change(field, before) {
    const after = field.value.trim();
    if (after === before) return undefined;
    if (before.includes("*"))
        return say("A line with * is changed by the command 'settings replace', as it would stand for others, too.");
    return edit(after ? `settings replace ${word(before)} ${word(after)}` : `settings remove ${word(before)}`);
}

function lineItem(line, i) {
    const field = make("input", {
        value: line,
        ariaLabel: `Line ${i + 1}`,
        spellcheck: false,
        autocomplete: "off",
        id: `setting-${i + 1}`,
        dataset: { key: line },
    });
    field.onchange = () => attempt(() => change(field, line));
    return make("li", {}, field, make("span", { className: "wrong", id: `wrong-${i + 1}` }));
}

async function show() {
    if (!session.map || !panel.open) return;
    const mine = ++number;
    const lines = await ask("settings");
    if (mine !== number) return;
    renewFields($("settings"), ...lines.map(lineItem));
    showWrong();
}

/** Beside each line, what was found wrong with it. */
function showWrong() {
    for (const one of $("settings").querySelectorAll(".wrong")) one.textContent = "";
    for (const { text } of state.findings) {
        const [, line, words] = /^line (\d+): (.*)/s.exec(text) ?? [];
        const place = line && $(`wrong-${line}`);
        if (place) place.textContent = words;
    }
}

$("settings-add").onsubmit = (event) => {
    event.preventDefault();
    const text = $("setting-new").value.trim();
    if (!text || !session.map) return;
    attempt(async () => {
        if ((await edit(`settings add ${word(text)}`))?.changed) $("setting-new").value = "";
    });
};
mindTyping($("settings"));
const showLines = () => void attend($("settings"), show);
panel.ontoggle = showLines;
for (const event of ["opened", "changed"])
    on(event, () => {
        state.findings = [];
        showLines();
    });
on("found", (found) => {
    state.findings = found;
    showWrong();
});
