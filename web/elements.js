// SPDX-License-Identifier: Zlib
// Small words for elements of the page. Texts of maps are never markup.
export const $ = (name) => document.getElementById(name);

/** An element with properties and what is in it. */
export function make(tag, properties = {}, ...within) {
  const { dataset, ...plain } = properties;
  const made = Object.assign(document.createElement(tag), plain);
  Object.assign(made.dataset, dataset);
  made.append(...within);
  return made;
}

/** Says in a line what was done, or what failed. */
export const say = (text) => { $("status").textContent = text; };

/** Does something that may fail, and says why it did. */
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    say(error.message);
    return undefined;
  }
}

/** Says before an element why it is not as it should be; "": it is. */
export function trouble(element, text) {
  const before = element.previousElementSibling;
  if (before?.classList.contains("trouble")) before.remove();
  if (text) element.before(make("p", { className: "trouble" }, text));
}

/**
 * Does what nobody asked for and nobody waits for, as showing what a map has. Why it failed stands before the element that it was for, and not
 * in place of what was last said; it goes when the next one succeeds. What was stopped has not failed.
 */
export async function attend(element, work) {
  try {
    const value = await work();
    trouble(element, "");
    return value;
  } catch (error) {
    trouble(element, error.stopped ? "" : error.message);
    return undefined;
  }
}

export const counted = (number, one, more = `${one}s`) => `${number} ${number === 1 ? one : more}`;

/** The bytes of a file of the visitor. */
export const bytesOf = async (file) => new Uint8Array(await file.arrayBuffer());

/** Gives the visitor a file. */
export function download(bytes, name) {
  const link = make("a", { href: URL.createObjectURL(new Blob([bytes])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
