// SPDX-License-Identifier: Zlib
// The server commands of the map as a list: each line is changed where it stands, an empty one goes; what is wrong with it stands beside it.
import { $, attempt, make, say } from "./elements.js";
import { ask, on, session } from "./session.js";
import { edit } from "./steps.js";

const panel = $("settings-panel");
let number = 0;

const quoted = (text) =>
    text.includes("'") ? `"${text.replace(/["\\]/g, "\\$&").replaceAll("$", "$$$$")}"` : `'${text}'`;

function change(field, before) {
    const after = field.value.trim();
    if (after === before) return undefined;
    if (before.includes("*"))
        return say("A line with * is changed by the command 'settings replace', as it would stand for others, too.");
    return edit(after ? `settings replace ${quoted(before)} ${quoted(after)}` : `settings remove ${quoted(before)}`);
}

function lineItem(line, i) {
    const field = make("input", {
        value: line,
        ariaLabel: `Line ${i + 1}`,
        spellcheck: false,
        autocomplete: "off",
        id: `setting-${i + 1}`,
    });
    field.onchange = () => attempt(() => change(field, line));
    return make("li", {}, field, make("span", { className: "wrong", id: `wrong-${i + 1}` }));
}

async function show() {
    if (!session.map || !panel.open) return;
    const mine = ++number;
    const lines = await ask("settings");
    if (mine !== number) return;
    $("settings").replaceChildren(...lines.map(lineItem));
    const found = await ask("findings");
    if (mine !== number) return;
    for (const { text } of found) {
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
        if ((await edit(`settings add ${quoted(text)}`))?.changed) $("setting-new").value = "";
    });
};
panel.ontoggle = () => attempt(show);
for (const event of ["opened", "changed"]) on(event, () => void attempt(show)); // nobody waits for it
