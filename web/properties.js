// SPDX-License-Identifier: Zlib
// The properties of what is chosen, made of the library's table of fields: layers and groups of the tree, or any
// other object of the map, and one element of it. What is changed is a step, of all that is chosen.
import { $, attempt, attend, make } from "./elements.js";
import { ask, on, perMap, session } from "./session.js";
import { chosenLayers } from "./chosen.js";
import { newEnvelope, openEnvelope } from "./envelopes.js";
import { edit, word } from "./steps.js";
import { mindTyping, renewFields } from "./typed.js";

// object: its address, "": the chosen layers; layers: those that were chosen
const state = perMap(() => ({ object: "", index: 0, layers: "" }));
let number = 0;

const addresses = () => (state.object ? [state.object] : chosenLayers());

/** Sets a field of all that is chosen; what is wrong is said beside the field, and stays in it. */
async function change(row, field, value) {
    if (value === row.value && !row.mixed) return;
    const words = addresses().map((address) => word(`${address}${row.part ?? ""}.${row.name}=${value}`));
    const before = session.at;
    const done = await edit(`set ${words.join(" ")}`);
    const wrong = !done && session.at === before;
    field.setCustomValidity(wrong ? $("status").textContent : "");
    if (wrong) field.reportValidity();
}

// --------------------------------------------------------------------------------------------------- fields

const choice = (row, values, id) => {
    const options = values.map(([value, text]) => make("option", { value }, text));
    if (row.mixed) options.unshift(make("option", { value: "" }, "(several)"));
    else if (!values.some(([value]) => value === row.value))
        options.unshift(make("option", { value: row.value }, row.value));
    const field = make("select", { id, onchange: () => change(row, field, field.value) }, ...options);
    field.value = row.mixed ? "" : row.value;
    return [field];
};

const objectsOf = (kind) =>
    kind === "group"
        ? session.map.groups.map(({ name }, i) => [String(i), `${i} ${name || "group"}`])
        : session.map.objects
              .filter(({ address }) => address.startsWith(`${kind}/`))
              .map(({ address, name }) => [address, `${address} ${name}`]);

const kinds = {
    bool: (row, id) => {
        const field = make("input", { id, type: "checkbox", checked: row.value === "true", indeterminate: row.mixed });
        field.onchange = () => change(row, field, String(field.checked));
        return [field];
    },
    choice: (row, id) =>
        choice(
            row,
            row.choices.map((one) => [one, one]),
            id,
        ),
    reference(row, id) {
        const fields = choice(row, [["none", "none"], ...objectsOf(row.refers)], id);
        const [, type] = /^(position|color|sound)_envelope$/.exec(row.name) ?? [];
        if (!type || row.mixed) return fields;
        const [address] = addresses();
        const has = row.value !== "none";
        const run = () =>
            has ? attempt(() => openEnvelope(row.value)) : newEnvelope(type, [`${address}${row.part ?? ""}.${row.name}`]);
        const words = has ? "Show the envelope as curves" : `A new envelope for ${row.name}`;
        return [...fields, make("button", { className: "small", onclick: run, ariaLabel: words }, has ? "curves" : "new")];
    },
    color: (row, id) => {
        const alpha = row.value.slice(7);
        const field = textField(row, id);
        const picker = make("input", {
            type: "color",
            value: row.value.slice(0, 7),
            ariaLabel: `${row.name}, as a picture of colors`,
        });
        picker.onchange = () => change(row, field, picker.value + alpha);
        return [field, picker];
    },
};

function textField(row, id) {
    const whole = ["int", "index"].includes(row.type) && row.value !== "none";
    const field = make("input", {
        id,
        value: row.mixed ? "" : row.value,
        placeholder: row.mixed ? "(several)" : "",
        autocomplete: "off",
        spellcheck: false,
    });
    if (whole) Object.assign(field, { type: "number", step: "1" });
    if (whole && row.min !== undefined) Object.assign(field, { min: row.min, max: row.max });
    field.disabled = !row.read;
    field.onfocus = () => field.select();
    field.onchange = () => attempt(() => change(row, field, field.value));
    return field;
}

function rowItem(row, i) {
    const id = `${row.part ? "element" : "property"}-${i}`;
    const range = row.min === undefined ? "" : `; ${row.min} to ${row.max}`;
    const label = make(
        "label",
        { htmlFor: id, title: `${row.help}${range}` },
        row.name,
        ...(row.unit ? [make("small", {}, ` ${row.unit}`)] : []),
    );
    const key = `${row.part ?? ""}${row.name}`;
    const fields = (kinds[row.type] ?? ((one) => [textField(one, id)]))(row, id);
    fields[0].dataset.key = `${addresses().join()} ${key}`;
    return make("div", { className: "property", dataset: { field: key } }, label, ...fields);
}

// --------------------------------------------------------------------------------------------------- the panel

function showObjects() {
    const one = (address, name) => make("option", { value: address }, name);
    $("object").replaceChildren(
        one("", chosenLayers().length ? `layer ${chosenLayers().join(", ")}` : "the chosen layer"),
        one("info", "info: author, version, license"),
        ...session.map.groups.map(({ name }, i) => one(String(i), `group ${i} ${name}`)),
        ...session.map.objects.map(({ address, name }) => one(address, `${address} ${name}`)),
    );
    if (![...$("object").options].some(({ value }) => value === state.object)) state.object = "";
    $("object").value = state.object;
}

async function show() {
    if (!session.map || !$("properties-panel").open) return;
    showObjects();
    const mine = ++number;
    const chosen = addresses();
    if (!chosen.length) return $("properties").replaceChildren("Choose a layer in the list above.");
    const told = await ask("fields", { addresses: chosen });
    if (mine !== number) return;
    state.index = Math.max(0, Math.min(state.index, told.count - 1));
    const object = told.rows.map(rowItem);
    const more = told.list && told.count ? await elementItems(chosen, told) : [];
    if (mine !== number) return;
    renewFields($("properties"), ...object, ...more);
}

/** One of the quads, points or sources of an object. */
async function elementItems(chosen, { list, count }) {
    const { rows } = await ask("fields", { addresses: chosen, element: { list, index: state.index } });
    const index = make("input", { type: "number", id: "element", min: 0, max: count - 1, value: state.index });
    index.dataset.key = `${chosen[0]} element`;
    index.onchange = () => {
        state.index = Number(index.value) || 0;
        showSoon();
    };
    const part = `.${list}[${state.index}]`;
    return [
        make(
            "div",
            { className: "property" },
            make("label", { htmlFor: "element" }, `${list}: number, 0 to ${count - 1}`),
            index,
        ),
        ...rows.map((row, i) => rowItem({ ...row, part }, i)),
    ];
}

const showSoon = () => void attend($("properties"), show);

/** Shows the properties of an object, as one asks for them elsewhere. */
export function showProperties(address) {
    state.object = address;
    state.index = 0;
    $("properties-panel").open = true;
    showSoon();
}

/** One of the quads, points or sources of an object, if the panel shows it anyway. */
export function showElement(address, index) {
    state.index = index;
    if (addresses().join() === address) showSoon();
}

$("object").onchange = () => showProperties($("object").value);
mindTyping($("properties"));
$("properties-panel").ontoggle = showSoon;
on("renumbered", (follow) => {
    if (/^\d+$/.test(state.object)) state.object = follow(state.object) ?? "";
    state.layers = state.layers
        .split(",")
        .map((address) => (address ? follow(address) : address))
        .join();
});
on("chosen", () => {
    const layers = chosenLayers().join(); // the same ones are chosen anew behind each step
    if (layers !== state.layers && /^\d+$/.test(state.object)) state.object = "";
    state.layers = layers;
    showSoon();
});
on("changed", showSoon);
on("opened", showSoon);
