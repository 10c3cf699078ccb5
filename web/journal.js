// SPDX-License-Identifier: Zlib
// Work is kept in the browser as it is done, until it is downloaded: the file that was opened and each step. What a
// page left behind that was closed, or whose browser ended, is offered when the page is opened again. Each page
// holds a lock with the name of its work, so others know that it lives.
import { $, attempt, counted, make, say } from "./elements.js";
import { on, perMap, session, unsaved } from "./session.js";

const NAME = "teemap-work";
const fresh = () => ({ id: "", kept: 0, lines: [], release: null }); // kept: how many steps are there: lines
const state = perMap(() => ({ now: fresh() }));
let held = state.now; // whose lock this page has
let adopted = null; // work that is gone on with
let database = null;
let last = Promise.resolve(); // one after the other
let refused = false; // it was said that nothing can be kept

const done = (request) =>
    new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });

/** works: { id, given, path, at, steps, time }; steps by [id, number]. Null: the browser keeps nothing. */
const open = () =>
    (database ??= (async () => {
        const request = indexedDB.open(NAME, 1);
        request.onupgradeneeded = () => {
            request.result.createObjectStore("works", { keyPath: "id" });
            request.result.createObjectStore("steps");
        };
        return done(request);
    })().catch(() => null));

/** Does something in one transaction: all of it is on the disk afterwards, or none. */
async function within(work) {
    const base = await open();
    if (!base) throw new Error("this browser keeps nothing for this page");
    const transaction = base.transaction(["works", "steps"], "readwrite", { durability: "strict" });
    const result = work(transaction.objectStore("works"), transaction.objectStore("steps"));
    await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onerror = transaction.onabort = () => reject(transaction.error ?? new Error("it is full"));
    });
    return result;
}

const stepsOf = (id) => IDBKeyRange.bound([id, 0], [id, Infinity]);
const remove = (id) =>
    within((works, steps) => {
        works.delete(id);
        steps.delete(stepsOf(id));
    });

/** Others see by the lock that this page still has the work. */
function hold(id) {
    let release = () => {};
    navigator.locks
        ?.request(
            `${NAME}-${id}`,
            () =>
                new Promise((end) => {
                    release = end;
                }),
        )
        .catch(() => {});
    return () => release();
}

async function keep(mine, { given, map, steps, at, wanted }) {
    if (!wanted) {
        if (!mine.id) return;
        const { id, release } = mine;
        Object.assign(mine, { id: "", kept: 0, lines: [], release: null });
        release?.();
        await remove(id);
        return;
    }
    const begun = !mine.id;
    const id = begun ? crypto.randomUUID() : mine.id;
    let same = 0; // steps that are there already
    while (same < mine.kept && same < steps.length && mine.lines[same] === steps[same]) same++;
    await within((works, store) => {
        const { bytes, path, images, rules, from, broken } = given;
        const header = { id, path: map.path, at, steps: steps.length, time: Date.now() };
        if (begun) works.put({ ...header, given: { bytes, path, images, rules, from, broken } });
        else
            works.get(id).onsuccess = ({ target }) => {
                works.put({ ...target.result, ...header });
            };
        if (same < mine.kept) store.delete(IDBKeyRange.bound([id, same], [id, Infinity]));
        for (let i = same; i < steps.length; i++) store.put(steps[i], [id, i]);
    });
    if (begun) Object.assign(mine, { id, release: hold(id) });
    Object.assign(mine, { kept: steps.length, lines: steps });
}

/** Keeps the work as it is now. */
function keepNow() {
    if (!session.map) return;
    if (adopted && session.steps.length) {
        Object.assign(state.now, adopted);
        adopted = null;
    }
    if (held !== state.now) held.release?.(); // work on another map, which others may go on with
    held = state.now;
    const mine = state.now;
    const now = {
        given: session.given,
        map: session.map,
        steps: [...session.steps],
        at: session.at,
        wanted: unsaved(),
    };
    last = last
        .then(() => keep(mine, now))
        .then(
            () => document.documentElement.setAttribute("data-kept", now.wanted ? String(now.at) : ""),
            (error) => {
                if (refused) return;
                refused = true;
                say(`Work is not kept in this browser (${error.message}): download the map before you close the page.`);
            },
        );
}

// --------------------------------------------------------------------------------------------------- what was left behind

async function alive() {
    const locks = (await navigator.locks?.query()) ?? {};
    return new Set((locks.held ?? []).map(({ name }) => name.slice(NAME.length + 1)));
}

async function read(id) {
    const base = await open();
    const transaction = base.transaction(["works", "steps"]);
    const [work, steps] = [
        transaction.objectStore("works").get(id),
        transaction.objectStore("steps").getAll(stepsOf(id)),
    ];
    return Promise.all([done(work), done(steps)]);
}

/** Lists what can be gone on with. resume(given, { steps, at }): does so. */
export function offerWork(resume) {
    const item = ({ id, path, steps, time }, elsewhere) => {
        const words = `${path}, ${counted(steps, "step")}, ${new Date(time).toLocaleString()}`;
        if (elsewhere) return make("li", {}, `${words}: open in another tab or window`);
        const goOn = () =>
            attempt(async () => {
                const [work, list] = await read(id);
                if (!work) return show();
                adopted = { id, kept: list.length, lines: list, release: hold(id) };
                try {
                    await resume(work.given, { steps: list, at: work.at });
                } finally {
                    adopted?.release();
                    adopted = null;
                }
                say(
                    `${path}: ${counted(work.at, "step")} of work that was not downloaded ${work.at === 1 ? "is" : "are"} there again.`,
                );
                return undefined;
            });
        const drop = () =>
            attempt(async () => {
                await remove(id);
                await show();
            });
        return make(
            "li",
            {},
            `${words} `,
            make("button", { className: "main", onclick: goOn }, "Go on"),
            " ",
            make("button", { onclick: drop }, "Throw away"),
        );
    };
    const show = async () => {
        const base = await open();
        if (!base) return;
        const works = await done(base.transaction("works").objectStore("works").getAll());
        const living = await alive();
        const listed = works.sort((a, b) => b.time - a.time).map((work) => item(work, living.has(work.id)));
        $("kept-list").replaceChildren(...listed);
        $("kept").hidden = !listed.length;
        if (works.some(({ id }) => living.has(id)))
            say(
                "Nothing is uploaded: all work is done on this machine. Another tab or window has work of its own, which is kept apart.",
            );
    };
    attempt(show);
}

for (const event of ["opened", "changed", "saved"]) on(event, keepNow);
