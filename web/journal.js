// SPDX-License-Identifier: Zlib
// Work is kept in the browser as it is done, until it is downloaded: the file that was opened and each step. What a
// page left behind that was closed, or whose browser ended, is offered when the page is opened again. Each page
// holds a lock with the name of its work, so others know that it lives.
import { $, attempt, counted, make, say } from "./elements.js";
import { on, perMap, session, unsaved } from "./session.js";

const NAME = "teemap-work";
const PARTS = ["bytes", "path", "images", "rules", "from", "broken"]; // of what a map is opened
const ASIDE = 3; // works that were downloaded
const GIVEN = -1; // stands before the numbers of steps
// lines, given: the steps and the parts that are there
const fresh = () => ({ id: "", lines: [], given: {}, release: null });
const state = perMap(() => ({ now: fresh() }));
let held = state.now; // whose lock this page has
let adopted = null; // work that is gone on with
let database = null;
let last = Promise.resolve(); // one after the other

const done = (request) =>
    new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });

/**
 * works: { id, path, at, steps, time }; steps by [id, number], and what the map was opened of by [id, GIVEN], as it
 * is large and seldom changes. Null: the browser keeps nothing.
 */
const open = () =>
    (database ??= (async () => {
        const request = indexedDB.open(NAME, 1);
        request.onupgradeneeded = () => {
            request.result.createObjectStore("works", { keyPath: "id" });
            request.result.createObjectStore("steps");
        };
        const base = await done(request);
        base.onversionchange = base.onclose = () => {
            base.close(); // a later page has another form of it, or the visitor removed all
            database = null;
        };
        return base;
    })().catch(() => {
        database = null;
        return null;
    }));

/** Does something in one transaction: all of it is on the disk afterwards, or none. */
async function within(work) {
    const base = await open();
    if (!base) throw new Error("it keeps nothing for this page");
    const transaction = base.transaction(["works", "steps"], "readwrite", { durability: "strict" });
    const result = work(transaction.objectStore("works"), transaction.objectStore("steps"));
    await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error ?? new Error("it is full"));
    });
    return result;
}

const remove = (id) =>
    within((works, steps) => {
        works.delete(id);
        steps.delete(IDBKeyRange.bound([id, GIVEN], [id, Infinity]));
    });

/** Says, as long as it is so, that work is lost with the page. */
function warn(why) {
    $("not-kept").hidden = !why;
    $("not-kept").textContent = why
        ? `Work is not kept in this browser (${why}): download the map before you close the page.`
        : "";
}

const ASKED = 300; // ms that others have to say that they have a work
const channel = navigator.locks || !window.BroadcastChannel ? null : new BroadcastChannel(NAME);
const mine = new Set(); // works of this page, where it has to say so itself
if (channel)
    channel.onmessage = ({ data }) => {
        if (data.asks) for (const id of mine) channel.postMessage({ has: id });
    };

/** The works that other pages have, where there are no locks: pages that come by http: ask each other. */
async function othersSay() {
    const found = new Set();
    if (!channel) return found;
    const hear = ({ data }) => {
        if (data.has) found.add(data.has);
    };
    channel.addEventListener("message", hear);
    channel.postMessage({ asks: true });
    await new Promise((later) => {
        setTimeout(later, ASKED);
    });
    channel.removeEventListener("message", hear);
    return found;
}

async function holdAlone(id) {
    if ((await othersSay()).has(id)) return null;
    mine.add(id);
    return () => mine.delete(id);
}

/** Others see by the lock that this page has the work. Returns what lets go of it; null: another page has it. */
const hold = (id) =>
    new Promise((resolve) => {
        if (!navigator.locks) return resolve(holdAlone(id));
        const has = (lock) => (lock ? new Promise((end) => resolve(end)) : resolve(null));
        navigator.locks.request(`${NAME}-${id}`, { ifAvailable: true }, has).catch(() => resolve(() => {}));
        return undefined;
    });

/** A name that no other work has; randomUUID is missing where pages come by http:. */
const newId = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (one) => one.toString(36)).join("-");

/** A download may be cancelled, or fail behind the page: the last works stay, apart, until others take their place. */
async function putAside(id) {
    const all = await within((works) => {
        const listed = works.getAll();
        listed.onsuccess = () => {
            const work = listed.result.find((one) => one.id === id);
            if (work) works.put({ ...work, downloaded: true });
        };
        return listed;
    });
    const aside = all.result.filter((one) => one.downloaded && one.id !== id).sort((a, b) => b.time - a.time);
    for (const old of aside.slice(ASIDE - 1)) await remove(old.id);
}

async function keep(mine, { given, map, steps, at, wanted, downloaded }) {
    if (!wanted) {
        if (!mine.id) return;
        const { id, release } = mine;
        Object.assign(mine, fresh());
        release?.();
        await (downloaded ? putAside(id) : remove(id));
        return;
    }
    const id = mine.id || newId();
    const release = mine.release ?? (await hold(id));
    const other = PARTS.some((name) => given[name] !== mine.given[name]);
    let same = 0; // steps that are there already
    while (same < mine.lines.length && same < steps.length && mine.lines[same] === steps[same]) same++;
    try {
        await within((works, store) => {
            works.put({ id, path: map.path, at, steps: steps.length, time: Date.now() });
            store.getKey([id, GIVEN]).onsuccess = ({ target }) => {
                const first = target.result === undefined ? 0 : same; // none is there if the visitor removed all
                if (target.result === undefined || other)
                    store.put(Object.fromEntries(PARTS.map((name) => [name, given[name]])), [id, GIVEN]);
                store.delete(IDBKeyRange.bound([id, first], [id, Infinity]));
                for (let i = first; i < steps.length; i++) store.put(steps[i], [id, i]);
            };
        });
    } catch (error) {
        if (!mine.id) release?.();
        throw error;
    }
    Object.assign(mine, { id, given, lines: steps, release });
    if (mine !== held) release?.(); // another map was opened meanwhile
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
        given: { ...session.given },
        map: session.map,
        steps: [...session.steps],
        at: session.at,
        wanted: unsaved(),
        downloaded: session.at > 0,
    };
    last = last
        .then(() => keep(mine, now))
        .then(
            () => {
                document.documentElement.setAttribute("data-kept", now.wanted ? String(now.at) : "");
                if (now.wanted) warn("");
            },
            (error) => warn(error.message || error.name),
        );
}

// --------------------------------------------------------------------------------- what was left behind

async function alive() {
    if (!navigator.locks) return othersSay();
    const locks = (await navigator.locks.query().catch(() => null)) ?? {};
    return new Set((locks.held ?? []).map(({ name }) => name.slice(NAME.length + 1)));
}

async function read(id) {
    const base = await open();
    const transaction = base.transaction(["works", "steps"]);
    const [works, steps] = [transaction.objectStore("works"), transaction.objectStore("steps")];
    const numbers = IDBKeyRange.bound([id, 0], [id, Infinity]);
    return Promise.all([works.get(id), steps.get([id, GIVEN]), steps.getAll(numbers)].map(done));
}

/** Lists what can be gone on with. resume(given, { steps, at }): does so. */
export function offerWork(resume) {
    const item = ({ id, path, steps, time }, elsewhere) => {
        const words = `${path}, ${counted(steps, "step")}, ${new Date(time).toLocaleString()}`;
        if (elsewhere) return make("li", {}, `${words}: open in another tab or window`);
        const goOn = () =>
            attempt(async () => {
                const release = await hold(id);
                if (!release) return show(); // another page has it by now
                try {
                    const [work, given, lines] = await read(id);
                    if (!work || !given) return show();
                    adopted = { id, given, lines, release };
                    await resume(given, { steps: [...lines], at: work.at });
                    const number = `${counted(work.at, "step")} of work${work.downloaded ? "" : " that was not downloaded"}`;
                    say(`${path}: ${number} ${work.at === 1 ? "is" : "are"} there again.`);
                } finally {
                    adopted = null;
                    if (state.now.id !== id) release();
                }
                return undefined;
            });
        const drop = () =>
            attempt(async () => {
                const release = await hold(id);
                if (release) await remove(id);
                release?.();
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
        if (!base) return warn("it keeps nothing for this page");
        const works = await done(base.transaction("works").objectStore("works").getAll());
        const living = await alive();
        works.sort((a, b) => b.time - a.time);
        for (const [name, listed] of [
            ["kept", works.filter(({ downloaded }) => !downloaded)],
            ["aside", works.filter(({ downloaded }) => downloaded)],
        ]) {
            $(`${name}-list`).replaceChildren(...listed.map((work) => item(work, living.has(work.id))));
            $(name).hidden = !listed.length;
        }
        if (works.some(({ id }) => living.has(id)))
            say(
                "Nothing is uploaded: all work is done on this machine. " +
                    "Another tab or window has work of its own, which is kept apart.",
            );
        return undefined;
    };
    attempt(show);
}

for (const event of ["opened", "changed", "saved"]) on(event, keepNow);
