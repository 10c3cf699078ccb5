// SPDX-License-Identifier: Zlib
// In the worker: what the palette makes its forms of, and the line that a form means.
import { operationHelp, operationLine, operations } from "./teemap.js";

export const paletteWork = {
  /** The table of operations with its words. */
  operations: () => Promise.all(Object.entries(operations).map(async ([key, row]) => ({ key, ...row, ...await operationHelp(key) }))),
  line: ({ key, given }) => ({ script: operationLine(key, given), shell: operationLine(key, given, { shell: true }) }),
};
