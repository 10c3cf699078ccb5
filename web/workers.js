// SPDX-License-Identifier: Zlib
// A worker that holds a map, and what it is asked for. It does one thing after the other.
export class Hand {
  /** news: is called when work began, went on or ended; crashed: when the module broke. */
  constructor(news, crashed) {
    this._news = news;
    this._waiting = new Map();
    this._next = 0;
    this._worker = new Worker("worker.js", { type: "module" });
    this._worker.onerror = ({ message }) => this._fail(`The worker of the page ended: ${message ?? "worker.js cannot be loaded"}`);
    this._worker.onmessage = ({ data }) => {
      this._answer(data);
      if (data.crash) crashed();
    };
  }

  /** What is being waited for, the oldest first: { name, since, progress }. */
  get pending() { return [...this._waiting.values()]; }

  /** Asks for work (worker.js lists it) and waits for the answer. */
  ask(name, given) {
    return new Promise((done, fail) => {
      this._waiting.set(++this._next, { name, since: performance.now(), done, fail });
      this._news();
      this._worker.postMessage({ id: this._next, name, given });
    });
  }

  _answer({ id, value, error, progress }) {
    const one = this._waiting.get(id);
    if (!one) return;
    if (progress) one.progress = progress;
    else this._waiting.delete(id);
    this._news();
    if (progress) return;
    if (error === undefined) one.done(value);
    else one.fail(new Error(error));
  }

  _fail(why, more) {
    const stopped = this.pending;
    this._waiting.clear();
    for (const { fail } of stopped) fail(Object.assign(new Error(why), more));
  }

  end() {
    this._worker.terminate();
    this._fail("Stopped.", { stopped: true });
  }
}
