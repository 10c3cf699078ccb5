// SPDX-License-Identifier: Zlib
// Groups of another map are chosen and come into this one, with their images, behind the game or in front of all.
import { $, attempt, bytesOf, counted, make, say } from "./elements.js";
import { ask, session } from "./session.js";
import { gameGroup } from "./chosen.js";
import { addCommands } from "./palette.js";
import { edit, word } from "./steps.js";

const dialog = $("append");
let other = null; // { name, bytes, groups }

const groupItem = ({ name, layers, parallax, physics }, i) => {
    const words = `${i} ${name || "group"}: ${counted(layers, "layer")}, parallax ${parallax.join()}`;
    const box = make("input", { type: "checkbox", value: i, id: `append-${i}`, disabled: physics });
    return make("li", {}, box, make("label", { htmlFor: box.id }, ` ${words}${physics ? " (has the game layer)" : ""}`));
};

const openAppend = (file) =>
    attempt(async () => {
        const bytes = await bytesOf(file);
        other = { name: file.name, bytes, groups: await ask("groupsOf", bytes) };
        $("append-title").textContent = `Groups of ${file.name}, from back to front`;
        $("append-list").replaceChildren(...other.groups.map(groupItem));
        dialog.showModal();
    });

/** Behind the game: they are moved there one after the other, as they come in front of all. */
function script(chosen) {
    const { groups } = session.map;
    const game = gameGroup();
    const lines = [`append ${word(other.name)} ${chosen.join()}`];
    if ($("append-place").value === "behind" && game >= 0)
        lines.push(...chosen.map((_, i) => `move ${groups.length + i} ${game + i}`));
    return lines.join("\n");
}

$("append-form").onsubmit = (event) => {
    event.preventDefault();
    const chosen = [...$("append-list").querySelectorAll(":checked")].map(({ value }) => value);
    if (!chosen.length) return;
    dialog.close();
    edit(script(chosen), { files: { [other.name]: other.bytes } });
};
$("append-file").onchange = ({ target }) => {
    const [file] = target.files;
    if (file && session.map) openAppend(file);
    target.value = "";
};
$("append-end").onclick = () => dialog.close();
const choose = () => (session.map ? $("append-file").click() : say("Open a map first."));
$("append-open").onclick = choose;
addCommands({ name: "append groups", help: "choose groups of another map that come into this one", run: choose });
