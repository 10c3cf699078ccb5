// SPDX-License-Identifier: Zlib
// Fields of objects in the words of the table, for whoever makes forms of them.
import { fieldsOf, readField } from "./fields.js";
import { tablesOf } from "./objects.js";

const MOST_CHOICES = 64;
const hexBytes = (list) => list.map((one) => (one & 255).toString(16).padStart(2, "0")).join("");

/** A value as `set` takes it. */
function valueText({ type, refers }, value) {
  if (value === undefined || value === null) return value === null && type !== "TEXT" && type !== "NAME" ? "none" : "";
  if (type === "REFERENCE") return `${refers}/${value}`;
  if (type === "COLOR") return `#${hexBytes(value)}`;
  return Array.isArray(value) ? value.join() : String(value);
}

/** The words of a choice. */
function choiceWords(library, choice) {
  const name = library.exports.__indirect_function_table.get(choice);
  const words = [];
  for (let i = 0; i < MOST_CHOICES; i++) {
    const word = library.text(name(BigInt(i)));
    if (word) words.push(word);
  }
  return words;
}

/** The rows of an owner for a struct: several values of a field are rows of their own. */
export function rowsOf(library, owner, struct) {
  return library.scope(() => {
    const num = library.alloc(4);
    const list = library.tm_fields(num, Object.keys(FIELDS).indexOf(owner));
    return fieldsOf(library, owner).flatMap((field, i) => {
      if (!field.plain || field.alias) return [];
      const row = library.item("tm_field", list, i);
      const { name, help, unit, ranged } = row;
      const scale = field.type === "FIXED" ? 1024 : 1;
      const range = ranged ? { min: Number(row.min) / scale, max: Number(row.max) / scale } : {};
      const choices = field.type === "CHOICE" && row.choice ? choiceWords(library, row.choice) : [];
      return Array.from({ length: field.num }, (_, k) => {
        const value = readField(library, struct, field, null, k);
        return {
          name: field.num > 1 ? `${name}[${k}]` : name, help, unit: unit ?? "", type: field.type.toLowerCase(), refers: field.refers ?? "", choices, ...range,
          value: valueText(field, value), read: value !== undefined,
        };
      });
    });
  });
}

/** The names of the tables that hold the fields of an object, or of the map. */
export function ownersOf(object) {
  const tables = tablesOf(object);
  return tables.length ? tables : ["MAP"];
}
