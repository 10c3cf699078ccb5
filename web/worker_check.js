// SPDX-License-Identifier: Zlib
// In the worker: findings.
import { opened, rulesAtHand } from "./worker_map.js";

export const checkWork = {
  /** By severity; notes about the file stand behind those of lint, which say what to do. Each once. */
  findings(_, progress) {
    const map = opened();
    progress(0, 2);
    const checked = map.check("game");
    progress(1, 2);
    const read = [...checked, ...map.findings.filter(({ text }) => !checked.some((one) => one.text === text))];
    const errors = read.filter(({ severity }) => severity === "error");
    const found = [...errors, ...map.lint({ rules: rulesAtHand(), verdict: false }).findings, ...read.filter((one) => !errors.includes(one))];
    const order = ["error", "warning", "note"];
    return found.map(({ id, severity, place, text, why = "", how = "", places = [], fix = null, address }) =>
      ({ id, severity, place, text, why, how, places, fix, address })).sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  },
};
