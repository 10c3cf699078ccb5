// SPDX-License-Identifier: Zlib
// Fields that are made anew behind each step. What somebody types in one meanwhile stays, and so does what was wrong:
// fields are the same if they have the same data-key.

// A field that is selected when it gets the focus stays so behind the click that gave it: Firefox puts the cursor there.
let entered = null;
addEventListener("pointerdown", ({ target }) => {
    entered = target.onfocus && target !== document.activeElement && target.matches("input") ? target : null;
}, true);
addEventListener("click", ({ target }) => {
    if (target === entered) target.select();
    entered = null;
});

let renewing = false; // browsers tell of a change when a field with the focus goes

const fieldsIn = (box) => [...box.querySelectorAll("[data-key]")];

/** Minds what is typed in the fields of a box; else it is as any other one. */
export function mindTyping(box) {
    const end = ({ target }) => {
        if (target.dataset.typed) target.dispatchEvent(new Event("change", { bubbles: true }));
    };
    box.addEventListener("input", ({ target }) => {
        if (target.dataset.key !== undefined) target.dataset.typed = "yes";
    });
    box.addEventListener(
        "change",
        (event) => {
            if (renewing) event.stopImmediatePropagation();
            else delete event.target.dataset.typed;
        },
        true,
    );
    // what was typed before the field was made anew is no change to the browser
    box.addEventListener("keyup", (event) => {
        if (event.key === "Enter") end(event);
    });
    box.addEventListener("focusout", (event) => {
        if (!renewing) end(event);
    });
}

/** Puts new fields, and what is around them, in the place of the old ones. */
export function renewFields(box, ...children) {
    const kept = fieldsIn(box)
        .filter((field) => field.dataset.typed || field.validity?.customError || field === document.activeElement)
        .map((field) => ({
            key: field.dataset.key,
            typed: field.dataset.typed,
            wrong: field.validity?.customError ? field.validationMessage : "",
            value: field.value,
            selection: field.type === "text" ? [field.selectionStart, field.selectionEnd] : null,
            focused: field === document.activeElement,
        }));
    renewing = true;
    box.replaceChildren(...children);
    renewing = false;
    const later = new Map(fieldsIn(box).map((field) => [field.dataset.key, field]));
    for (const { key, typed, wrong, value, selection, focused } of kept) {
        const field = later.get(key);
        if (!field) continue;
        if (focused) field.focus();
        if (!typed && !wrong) continue;
        field.value = value;
        if (typed) field.dataset.typed = typed;
        if (wrong) field.setCustomValidity(wrong);
        if (selection && focused) field.setSelectionRange(...selection);
    }
}
