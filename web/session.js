// SPDX-License-Identifier: Zlib
// The map that is open, the steps that were done to it, and the workers that do them. Who shows something of the map listens for its
// events. All that a worker holds can be made anew of the files and the steps: so work is stopped by ending the worker.
import { follower, movedLayers } from "./follow.js";
import { Hand } from "./workers.js";

const SHARED = ["open", "step", "travel", "replay"]; // work that changes the map
const MOST = 3; // helpers: each holds the map
let first = null; // does all work
let helpers = []; // do the shared work, too, and draw

/**
 * map: what the worker told of it (worker_map.js). given: of what it was opened. steps: { name, given } (worker_steps.js) with the line of teemap
 * that does the same; `at` of them are done, those behind are there to be done again. downloaded: how many were done when the visitor got the file.
 */
export const session = { map: null, given: null, steps: [], at: 0, downloaded: 0, more: {}, opening: false };
export const unsaved = () => session.map !== null && session.at !== session.downloaded;

const listeners = { opened: [], changed: [], busy: [], moved: [], shown: [], chosen: [], saved: [], found: [], renumbered: [] };
/**
 * "opened": another map; "changed": the same map was worked on, or, with true, work on it was stopped; "busy": work began, went on or ended;
 * "moved": the picture shows another part of the map; "shown": other layers of it; "chosen": others are worked on; "saved": it was downloaded;
 * "found": these findings stand in the list; "renumbered": layers have other addresses, before "changed": address => address or null.
 */
export const on = (event, listener) => { listeners[event].push(listener); };
/** Tells all, also where one of them fails. */
export const tell = (event, given) => Promise.all(listeners[event].map(async (listener) => listener(given)));

const owned = [];
/** What belongs to the map that is open, as its selection: an object that is again as `fresh()` makes it when another one is opened. */
export function perMap(fresh) {
  const state = fresh();
  owned.push(() => Object.assign(state, fresh()));
  return state;
}

let fetching = null; // { name, since, progress, end }

/** Fetches a file. It shows how far it is, and is stopped, as work of the workers is. */
export async function fetchFile(url) {
  fetching?.end();
  const stopper = new AbortController();
  const mine = fetching = { name: "fetch", since: performance.now(), end: () => stopper.abort() };
  const read = async () => {
    const answer = await fetch(url, { credentials: "omit", referrerPolicy: "no-referrer", signal: stopper.signal });
    if (!answer.ok) return answer;
    const [parts, total] = [[], Number(answer.headers.get("content-length"))];
    let size = 0;
    for (const reader = answer.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) return new Blob(parts);
      parts.push(value);
      size += value.length;
      mine.progress = [size, total];
    }
  };
  tell("busy");
  try {
    return await read();
  } catch (error) {
    throw stopper.signal.aborted ? Object.assign(new Error("Stopped."), { stopped: true }) : error;
  } finally {
    if (fetching === mine) fetching = null;
    tell("busy");
  }
}

/** What is being waited for: { name, since, progress }. */
export const pending = () => [...(fetching ? [fetching] : []), ...first.pending, ...helpers.flatMap((one) => one.pending.filter(({ name }) => name === "draw"))];

const hire = (crashed) => new Hand(() => tell("busy"), crashed);
const hireFirst = () => hire(() => anew().catch(() => {})); // what made it is told; a map that cannot even be opened again needs no second word
first = hireFirst();

/** Asks for work and waits for the answer. */
export function ask(name, given) {
  const answer = first.ask(name, given);
  if (SHARED.includes(name)) for (const one of helpers) one.ask(name, given).catch(() => {}); // as the first one says
  return answer;
}

/** Who draws: helpers, and the first one when it has nothing else to do. */
export const drawers = () => [...helpers, ...(helpers.length && first.pending.length ? [] : [first])];

/** Takes on helpers, when the map that is open is the one of the steps. */
function hireHelpers() {
  if (helpers.length || !session.map || first.pending.some(({ name }) => SHARED.includes(name))) return;
  helpers = Array.from({ length: Math.min(MOST, (navigator.hardwareConcurrency || 1) - 1) }, () => {
    const one = hire(() => {
      helpers = helpers.filter((other) => other !== one);
      one.end();
      tell("shown"); // its strips are drawn by others
    });
    return one;
  });
  for (const one of helpers) for (const [name, given] of again()) one.ask(name, given).catch(() => {});
}

/** Opens a map: { bytes, path, images, rules, from }, from: its address if it has one. shown: is called when it is there, before anybody has looked at it. */
export async function openMap(given, shown) {
  fetching?.end(); // of another one
  const busy = pending().length > 0; // with the map that goes
  session.opening = true;
  if (busy) replaceWorkers();
  try {
    const { map, ...more } = await ask("open", given);
    Object.assign(session, { map, given, steps: [], at: 0, downloaded: 0, more, opening: false });
  } catch (error) {
    if (error.stopped) throw error; // who stops it, or opens another one, goes on
    session.opening = false;
    if (busy) await anew();
    throw error;
  }
  for (const renew of owned) renew();
  shown();
  await tell("opened");
  hireHelpers(); // the first picture does not wait for them
}

/** Opens a map on which work was done: with its steps, of which `at` are done. */
export async function resumeMap(given, { steps, at }, shown) {
  await openMap(given, shown);
  const { map } = await ask("replay", { steps, at });
  Object.assign(session, { map, steps, at });
  await tell("changed");
}

let guarded = () => []; // addresses of layers that no step changes
export const guardLayers = (list) => { guarded = list; };

const renumber = (moves) => { if (moves.some(({ moved }) => moved)) tell("renumbered", follower(moves)); };

/** Does something to the map: { name, given }. Returns what the worker tells of it. */
export async function step(one) {
  const before = session.map;
  const { map, ...more } = await ask("step", { ...one, locked: guarded() });
  if (more.changed) {
    if (session.downloaded > session.at) session.downloaded = -1; // what was downloaded cannot be come back to
    const moved = movedLayers(before.groups, map.groups, more.report.changes);
    session.steps.splice(session.at++, Infinity, { ...one, line: more.line, ...(moved ? { moved } : {}) });
    session.map = map;
    renumber([{ moved }]);
    await tell("changed");
  }
  return more;
}

/** Undoes or does again, until so many steps are done. */
export async function travel(to) {
  if (to < 0 || to > session.steps.length || to === session.at) return;
  const { at } = session;
  session.map = (await ask("travel", to)).map;
  session.at = to;
  const between = session.steps.slice(Math.min(at, to), Math.max(at, to)).map(({ moved }) => ({ moved, undone: to < at }));
  renumber(to < at ? between.reverse() : between);
  await tell("changed");
}

const again = () => [["open", session.given], ["replay", { steps: session.steps, at: session.at }]];

/** Begins with new workers. What was being waited for fails. */
function replaceWorkers() {
  const ended = [first, ...helpers];
  [first, helpers] = [hireFirst(), []];
  for (const one of ended) one.end();
}

/** Begins with new workers, which do all steps again. stopped: what the visitor stopped is not begun again. */
async function anew(stopped = false) {
  replaceWorkers();
  session.opening = false;
  if (!session.map) return;
  const [{ map: _, ...more }, { map }] = await Promise.all(again().map(([name, given]) => ask(name, given))); // before all else
  Object.assign(session, { map, more });
  await tell("changed", stopped);
  hireHelpers();
}

/** Stops fetching, of which fetchFile tells; else all work on the map, which is then as it was before: true. */
export async function stop() {
  if (fetching) return fetching.end();
  await anew(true);
  return true;
}

/** Opens the map anew with more files, and does all steps again. */
export function renewWith(more) {
  Object.assign(session.given, more);
  return anew();
}
