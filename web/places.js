// SPDX-License-Identifier: Zlib
// Places of the map: where one begins and ends, teleporters with their other ends, switches, checkpoints, and what a pattern finds.
import { $, attempt, attend, counted, make, say } from "./elements.js";
import { ask, on, session } from "./session.js";
import { look, tour } from "./look.js";

const MOST = 200; // places of a search that are listed
const WAYS = 40; // lines between ends that are drawn
let number = 0;
let later = 0;

/** A button for places. other: where lines lead to. */
function jump(words, places, other = []) {
  const middle = (one) => [one.group, one.x + one.width / 2, one.y + one.height / 2];
  const way = (from) => other.flatMap((to) => [middle(from), middle(to)]).slice(0, 2 * WAYS);
  return make("button", { onclick: tour(places, other, way) }, places.length > 1 ? `${words} (${places.length})` : words);
}

/** Places by what one may call them, those of a number in a line. */
function kindItem({ title, matches, paired }) {
  const by = (list, key) => list.reduce((all, one) => all.set(key(one), [...all.get(key(one)) ?? [], one]), new Map());
  const row = ([of, list]) => {
    const words = [...by(list, ({ word }) => word)];
    return make("li", {}, of ? `${of}: ` : "", ...words.flatMap(([word, places]) =>
      [jump(word, places, paired && of ? list.filter((one) => one.word.endsWith("-out") !== word.endsWith("-out")) : []), " "]));
  };
  return make("li", {}, make("details", {}, make("summary", {}, `${title} (${matches.length})`), make("ul", {}, ...[...by(matches, (one) => one.number)].sort(([a], [b]) => a - b).map(row))));
}

const showPlaces = () => attend($("places"), async () => {
  const mine = ++number;
  const kinds = await ask("places");
  if (mine !== number) return;
  const open = new Set([...$("places").querySelectorAll("details[open] summary")].map((one) => one.textContent.split(" (")[0]));
  $("places").replaceChildren(...kinds.map(kindItem));
  for (const one of $("places").querySelectorAll("details")) one.open = open.has(one.textContent.split(" (")[0]);
});

async function search() {
  const pattern = $("find").value.trim();
  if (!session.map || !pattern) return $("found").replaceChildren();
  const matches = await ask("find", pattern);
  $("found").replaceChildren(...matches.slice(0, MOST).map((one, i) => make("li", {}, one.width
    ? make("button", { className: "place", onclick: () => look(matches.slice(0, MOST).filter(({ width }) => width), matches.slice(0, i).filter(({ width }) => width).length) }, one.words) : one.words)));
  say(`${pattern}: ${counted(matches.length, "place")}${matches.length > MOST ? `, of which the first ${MOST} are listed` : ""}.`);
  return undefined;
}

$("find-form").onsubmit = (event) => { event.preventDefault(); attempt(search); };
on("opened", () => { $("found").replaceChildren(); showPlaces(); });
on("changed", (stopped) => { if (stopped) return; clearTimeout(later); later = setTimeout(showPlaces, 400); });
