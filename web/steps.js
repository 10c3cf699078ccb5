// SPDX-License-Identifier: Zlib
// What was done to the map: each step as the line of teemap that does the same, undone and done again.
import { $, attempt, counted, download, make, say } from "./elements.js";
import { on, session, step, travel } from "./session.js";

/** Does a step and says so: { name, given }. */
export const does = (name, given) => attempt(async () => {
  const { changed, report, line } = await step({ name, given });
  const lost = report.findings.map(({ text }) => text).join("; ");
  const told = changed ? `Done: ${line} (${counted(report.changes.length, "change")}).` : `Nothing to do: ${line}.`;
  say(lost ? `${told} ${lost}` : told);
  return { changed, report };
});

function showSteps() {
  const { steps, at } = session;
  $("undo").disabled = at === 0;
  $("redo").disabled = at === steps.length;
  $("script").disabled = steps.length === 0;
  $("no-steps").hidden = steps.length > 0;
  $("to-start").hidden = steps.length === 0;
  $("to-start").ariaCurrent = at === 0 ? "step" : "false";
  $("steps").replaceChildren(...steps.map((one, i) => make("li", { className: i < at ? "" : "undone" },
    make("button", { className: "place", title: one.line.length > 200 ? "" : one.line, ariaCurrent: i === at - 1 ? "step" : "false", onclick: () => go(i === at - 1 ? i : i + 1) }, make("code", {}, one.line)),
    ...Object.entries(one.given.files ?? {}).map(([name, bytes]) => make("button", { onclick: () => download(bytes, name) }, `Download ${name}`)))));
  const current = $("steps").children[at - 1];
  if (current) $("steps").scrollTop = current.offsetTop + current.offsetHeight - $("steps").offsetTop - $("steps").clientHeight;
}

const go = (to) => attempt(async () => {
  const was = session.at;
  await travel(to);
  if (session.at !== was) say(session.at < was ? `Undone: ${counted(was - session.at, "step")}.` : `Done again: ${counted(session.at - was, "step")}.`);
});
export const undo = () => go(session.at - 1);
export const redo = () => go(session.at + 1);

/** A word of an operation as it is written in a script (docs/editing.md). */
export function word(text) {
  if (/^[\w.,@%:/=-]+$/.test(text)) return text;
  return text.includes("'") ? `"${text.replace(/["\\]/g, "\\$&").replaceAll("$", "$$$$")}"` : `'${text}'`;
}

/** Operations as text, one a line. */
export const edit = (script, more = {}) => does("edit", { script, ...more });

$("undo").onclick = undo;
$("to-start").onclick = () => go(0);
$("redo").onclick = redo;
$("script").onclick = () => download(session.steps.slice(0, session.at).map((one) => one.line + "\n").join(""), `${session.map.path}.sh`);
on("opened", showSteps);
on("changed", showSteps);
