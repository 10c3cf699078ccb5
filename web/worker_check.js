// SPDX-License-Identifier: Zlib
// In the worker: findings.
import { opened, rulesAtHand } from "./worker_map.js";

export const checkWork = {
  /** Findings of reading and checking first, then those of lint; each once. */
  findings(_, progress) {
    const map = opened();
    progress(0, 2);
    const checked = map.check("game");
    progress(1, 2);
    const found = [...checked, ...map.findings.filter(({ text }) => !checked.some((one) => one.text === text)), ...map.lint({ rules: rulesAtHand() }).findings];
    const order = ["error", "warning", "note"];
    return found.map(({ id, severity, place, text, why = "", how = "", places = [], fix = null, address }) =>
      ({ id, severity, place, text, why, how, places, fix, address })).sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  },
};
