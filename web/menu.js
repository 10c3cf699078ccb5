// SPDX-License-Identifier: Zlib
// A menu at a place of the page: buttons below headings, gone through with the arrow keys.
import { $, make } from "./elements.js";

const dialog = $("menu");
const buttons = () => [...dialog.querySelectorAll("button:not(:disabled)")];

function entry({ title, text, hint = "", run, element }) {
    if (element) return element;
    if (title) return make("h3", {}, title);
    const done = () => {
        dialog.close();
        run();
    };
    return make("button", { onclick: done, title: hint }, text);
}

/** rows: headings { title }, buttons { text, hint, run }, or any { element }. Escape or a click elsewhere closes it. */
export function openMenu(label, rows, [x, y]) {
    dialog.ariaLabel = label;
    dialog.replaceChildren(make("h2", {}, label), ...rows.map(entry));
    Object.assign(dialog.style, { left: "0", top: "0" });
    if (!dialog.open) dialog.showModal();
    const { width, height } = dialog.getBoundingClientRect();
    dialog.style.left = `${Math.max(0, Math.min(x, innerWidth - width))}px`;
    dialog.style.top = `${Math.max(0, Math.min(y, innerHeight - height))}px`;
    buttons()[0]?.focus();
}

/** The place of an event: that of the pointer, or beside the element where it came by a key. */
export function placeOf(event) {
    if (event.clientX || event.clientY) return [event.clientX, event.clientY];
    const { left, bottom } = event.target.getBoundingClientRect();
    return [left, bottom];
}

dialog.onpointerdown = (event) => {
    const { left, top, right, bottom } = dialog.getBoundingClientRect();
    const { clientX, clientY } = event;
    if (clientX < left || clientY < top || clientX > right || clientY > bottom) dialog.close();
};
dialog.oncontextmenu = (event) => event.preventDefault();
dialog.onkeydown = (event) => {
    const way = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    if (!way || event.target.matches("input, select")) return;
    const list = buttons();
    const now = list.indexOf(document.activeElement);
    list[Math.max(0, Math.min(list.length - 1, Math.max(now, 0) + way))]?.focus();
    event.preventDefault();
};
