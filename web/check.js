// SPDX-License-Identifier: Zlib
// The list of findings: what is wrong, why, where, and the fix as a button where there is one.
import { $, attempt, attend, counted, make, say } from "./elements.js";
import { ask, on, renewWith, session, tell } from "./session.js";
import { edit } from "./steps.js";
import { tour, unframe } from "./look.js";

let later = 0;
let number = 0;

const showFindings = () => attend($("findings"), async () => {
  const mine = ++number;
  try {
    listFindings(mine, await ask("findings"));
  } catch (error) {
    if (mine === number && !error.stopped) listNone(make("li", {}, "What is wrong with the map is not known."));
    throw error;
  }
});

function listNone(...items) {
  $("findings").ariaBusy = "false";
  $("findings").replaceChildren(...items);
}

function listFindings(mine, found) {
  if (mine !== number) return;
  const counts = ["error", "warning", "note"].map((kind) => [found.filter(({ severity }) => severity === kind).length, kind]).filter(([number]) => number);
  $("findings-title").replaceChildren("Findings ", make("small", {}, counts.map(([number, kind]) => counted(number, kind)).join(", ")));
  $("findings").replaceChildren(...(found.length ? found.map(findingItem) : [make("li", {}, "Nothing was found.")]));
  $("findings").ariaBusy = "false";
  tell("found", found);
}

function findingItem({ id, severity, address, place, text, why, how, places, fix }) {
  const words = make("span", { className: severity }, `${place ? place + ": " : ""}${text} `, make("code", {}, `[${id}]`));
  const item = make("li", {}, places.length ? make("button", { className: "place", onclick: tour(places.map((one) => ({ ...one, address }))) }, words) : words);
  if (why) item.append(make("p", {}, `${why} ${how}`));
  if (fix) item.append(make("button", { onclick: () => mend(fix), title: `teemap edit ${fix}`, ariaLabel: `Fix: ${text}` }, "Fix"));
  if (id === "data-broken" && !session.more.damage) item.append(make("p", {}, "Part of the file is lost: what stood there is empty, or cannot be opened by the game."), make("button", { onclick: () => rescue(text) }, "Rescue the rest"));
  return item;
}

/** What was lost of a damaged file, in words. */
export function lossWords() {
  const { damage, rescued } = session.more;
  return damage ? ` The file is damaged (${damage}). Download gives a whole map of what could be rescued: ${rescued}.` : "";
}

const rescue = (broken) => attempt(async () => {
  await renewWith({ broken });
  say(session.map.path + ":" + lossWords());
});

const mend = (line) => {
  unframe();
  return edit(line);
};

/** Looks for them when nothing was done for a while: they cost more than a step. */
function showSoon(stopped) {
  number++;
  if (stopped && $("findings").ariaBusy === "true")
    return listNone(make("li", {}, "Stopped. ", make("button", { onclick: () => showSoon() }, "Look for findings again")));
  $("findings").ariaBusy = "true";
  clearTimeout(later);
  later = setTimeout(showFindings, 400);
  return undefined;
}

on("opened", () => {
  $("findings").ariaBusy = "true";
  showFindings();
});
on("changed", showSoon);
