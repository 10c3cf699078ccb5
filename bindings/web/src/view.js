// SPDX-License-Identifier: Zlib
// <teemap-view src="x.map">: a map on a page. It is loaded when it comes into sight, and let go of when it leaves. All views of a page share one worker,
// and in it one module. This file is both sides: the element on the page, and the worker.

// ------------------------------------------------------------------------------------------------ in the worker

function serve() {
  const module = import("./viewer.js");
  const shown = new Map(); // by number: { map, renderer, group }, or null while the file is on its way

  async function fetched(address) {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.statusText}`);
    return answer;
  }

  const work = {
    async open({ id, src, images, layers, entities }) {
      shown.set(id, null);
      const viewer = await module;
      const find = (name) => fetched(`${images}${encodeURIComponent(name)}.png`).catch(() => null);
      const map = await viewer.Map.load(await fetched(src), { path: src, images: images ? find : undefined });
      try {
        if (!map.groups.length) throw new Error("The map has no layers: there is nothing to show.");
        if (!shown.has(id)) { // it left meanwhile
          map.free();
          return void (shown.size || viewer.reset());
        }
        const group = map.groups.findIndex(({ parallaxX, parallaxY }) => parallaxX === 100 && parallaxY === 100);
        shown.set(id, { map, renderer: map.renderer({ layers, entities }), group: Math.max(0, group) });
        return { missing: map.missing, area: map.area };
      } catch (error) {
        map.free();
        throw error;
      }
    },
    draw({ id, width, height, view, time }) {
      const { map, renderer, group } = shown.get(id);
      /** How many pixels a tile has. */
      const tile = ({ x, y, zoom }) => {
        const at = (px) => renderer.fromPicture(group, [px, 0], width, height, { view: [x, y, zoom] })[0];
        return width / (at(width) - at(0));
      };
      let camera = view;
      if (view === "all") {
        camera = { x: map.area.width / 2, y: map.area.height / 2, zoom: 1 };
        camera.zoom = tile(camera) * Math.max(map.area.width / width, map.area.height / height, 0.01);
      } else if (typeof view === "string") camera = renderer.find(view, width, height, time);
      const { x, y, zoom } = camera;
      const data = new Uint8ClampedArray(width * height * 4);
      renderer.draw({ data, width, height }, { view: [x, y, zoom], time, background: [0, 0, 0, 255] });
      return { data, width, height, camera: { x, y, zoom }, tile: tile(camera) };
    },
    async close({ id }) {
      const one = shown.get(id);
      shown.delete(id);
      one?.renderer.free();
      one?.map.free();
      if (!shown.size) (await module).reset();
    },
  };

  onmessage = async ({ data: { number, name, ...given } }) => {
    try {
      const value = await work[name](given);
      postMessage({ number, value }, value?.data ? [value.data.buffer] : []);
    } catch (error) {
      if (name === "open") work.close(given);
      postMessage({ number, error: error.message, crash: error.code === "crash" });
    }
  };
}

// -------------------------------------------------------------------------------------------------- on the page

function define() {
  const STYLE = `:host { display: block; position: relative; aspect-ratio: 16 / 9; overflow: hidden; background: #222; color: #fff; }
    :host([hidden]) { display: none; }
    canvas { position: absolute; inset: 0; width: 100%; height: 100%; cursor: grab; }
    :host(:focus-within) canvas { touch-action: none; }
    canvas:focus-visible { outline: 2px solid #fff; outline-offset: -4px; }
    p { position: absolute; left: 0; bottom: 0; margin: 0; padding: .2em .6em; background: #000c; overflow-wrap: anywhere; }
    button { position: absolute; right: .4em; bottom: .4em; font: inherit; }
    [hidden], p:empty { display: none; }`;
  let sheet = null;
  let worker = null;
  let last = 0; // number of messages and of maps
  const waiting = new Map();
  const open = new Set(); // views whose map the worker has

  function ask(name, given) {
    if (!worker) {
      worker = new Worker(new URL("./view.js", import.meta.url), { type: "module" });
      worker.onmessage = ({ data: { number, value, error, crash } }) => {
        const { done, fail } = waiting.get(number);
        waiting.delete(number);
        if (error === undefined) done(value);
        else fail(new Error(error));
        if (crash) setTimeout(() => { for (const view of [...open]) view._load(); }); // maps of a module that broke are lost
      };
      worker.onerror = ({ message }) => {
        for (const { fail } of waiting.values()) fail(new Error(message || "the worker of the views cannot be started"));
        waiting.clear();
      };
    }
    return new Promise((done, fail) => {
      waiting.set(++last, { done, fail });
      worker.postMessage({ number: last, name, ...given });
    });
  }

  const sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) target._sight(isIntersecting);
  }, { rootMargin: "25%" });
  const sizes = new ResizeObserver((entries) => { for (const { target } of entries) target._draw(); });
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const ratio = () => Math.min(2, devicePixelRatio || 1);

  class TeemapView extends HTMLElement {
    static get observedAttributes() { return ["src", "images", "layers", "entities", "view", "time", "motion", "label"]; }

    /** Names of images that the map only names, and that were not found. */
    missing = [];
    _fingers = new Map();

    /** What it shows: the middle in tiles, and how far away it is. */
    get camera() { return this._camera?.zoom ? { ...this._camera } : null; }

    connectedCallback() {
      if (!this.shadowRoot) this._build();
      sight.observe(this);
      sizes.observe(this);
    }

    disconnectedCallback() {
      sight.unobserve(this);
      sizes.unobserve(this);
      this._sight(false);
    }

    _sight(seen) {
      this._seen = seen;
      if (seen) this._load();
      else this._leave();
    }

    attributeChangedCallback(name, before, now) {
      if (before === now || !this.shadowRoot) return;
      if (name === "src" || name === "view") this._camera = null;
      if (this._seen && ["src", "images", "layers", "entities"].includes(name)) this._load();
      else this._draw();
    }

    _build() {
      const shadow = this.attachShadow({ mode: "open" });
      if (!sheet) {
        sheet = new CSSStyleSheet();
        sheet.replaceSync(STYLE);
      }
      shadow.adoptedStyleSheets = [sheet];
      const part = (tag, more) => {
        const made = Object.assign(document.createElement(tag), more);
        shadow.append(made);
        return made;
      };
      this._poster = part("slot"); // what stands in the element, until the first picture is there
      this._canvas = part("canvas", { tabIndex: 0 });
      this._canvas.setAttribute("role", "img");
      this._words = part("p", {});
      this._words.setAttribute("role", "alert");
      this._button = part("button", { type: "button", hidden: true, onclick: () => this._pause(!this._paused) });
      this._pause(still.matches);
      this._listen();
    }

    // ------------------------------------------------------------------------------------------ loading

    async _load() {
      this._leave();
      this._say("");
      const src = this.getAttribute("src");
      if (!src) return;
      const address = (text) => new URL(text, this.ownerDocument.baseURI).href;
      this._poster.textContent = "Loading ..."; // where nothing stands in it
      const id = this._id = ++last;
      const given = { id, src: address(src), layers: this.getAttribute("layers") ?? undefined, entities: this.getAttribute("entities") ?? false };
      if (given.entities === "") given.entities = true;
      if (this.hasAttribute("images")) given.images = address(this.getAttribute("images").replace(/\/?$/, "/"));
      open.add(this);
      try {
        const told = await ask("open", given);
        if (this._id !== id) return;
        this._loaded = true;
        this.missing = told.missing;
        await this._draw();
        this.dispatchEvent(new Event("load"));
      } catch (error) {
        if (this._id === id) this._fail(error);
      }
    }

    _leave() {
      this._loaded = false;
      open.delete(this);
      if (this._id) ask("close", { id: this._id }).catch(() => {});
      this._id = 0;
    }

    _fail(error) {
      this._leave();
      this._poster.textContent = "";
      this._say(error.message);
      this.dispatchEvent(new ErrorEvent("error", { message: error.message, error }));
    }

    // ------------------------------------------------------------------------------------------ drawing

    /** One picture is on its way at a time. */
    async _draw() {
      const canvas = this._canvas;
      canvas.setAttribute("aria-label", this._name());
      const plays = this.hasAttribute("motion");
      this._button.hidden = !plays;
      if (!this._loaded) return;
      this._wanted = true;
      if (this._drawing) return;
      this._drawing = true;
      canvas.ariaBusy = "true";
      const id = this._id;
      try {
        while (this._wanted && this._id === id) {
          this._wanted = false;
          const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((size) => Math.round(size * ratio()));
          if (!width || !height) break;
          const time = Number(this.getAttribute("time")) || 0;
          const view = this._view();
          const got = await ask("draw", { id, width, height, view, time: time + (plays ? this._played() : 0) });
          if (this._id !== id) break;
          Object.assign(canvas, { width, height });
          canvas.getContext("2d").putImageData(new ImageData(got.data, width, height), 0, 0);
          this._poster.hidden = true;
          if (view !== this._view()) continue; // it was moved meanwhile
          this._camera = got.camera;
          this._tile = got.tile / ratio();
        }
      } catch (error) {
        if (this._id === id) this._fail(error);
      }
      this._drawing = false;
      canvas.ariaBusy = "false";
      if (this._loaded && (this._id !== id || this._wanted)) this._draw();
      else if (this._loaded && plays && !this._paused) requestAnimationFrame(() => this._draw());
    }

    _view() { return this._camera ?? this.getAttribute("view") ?? "best"; }

    _name() {
      const file = (this.getAttribute("src") ?? "").split(/[?#]/)[0].split("/").pop();
      let name = file.replace(/\.map$/i, "");
      try { name = decodeURIComponent(name); } catch { /* as it is written */ }
      return `${this.getAttribute("label") ?? `Map ${name}`}. Arrow keys move, + and - zoom, 0 shows all of it.`;
    }

    _say(text) { this._words.textContent = text; }

    /** How long it has been playing, in milliseconds. */
    _played() { return this._before + (this._paused ? 0 : performance.now() - this._since); }
    _pause(paused) {
      this._before = this._since === undefined ? 0 : this._played();
      this._since = performance.now();
      this._paused = paused;
      this._button.textContent = paused ? "Play" : "Pause";
      if (this._canvas) this._draw();
    }

    // -------------------------------------------------------------------------------------------- input

    _move(dx, dy) {
      if (!this._loaded || !this._camera?.zoom) return;
      const { x, y, zoom } = this._camera;
      this._camera = { x: x - dx / this._tile, y: y - dy / this._tile, zoom };
      this._draw();
    }

    /** Around a point of the element. */
    _zoom(factor, px = this.clientWidth / 2, py = this.clientHeight / 2) {
      if (!this._loaded || !this._camera?.zoom) return;
      const { x, y, zoom } = this._camera;
      const next = Math.min(100, Math.max(0.05, zoom / factor));
      const share = (1 - next / zoom) / this._tile;
      this._camera = { x: x + (px - this.clientWidth / 2) * share, y: y + (py - this.clientHeight / 2) * share, zoom: next };
      this._tile *= zoom / next;
      this._draw();
    }

    _listen() {
      const canvas = this._canvas;
      const keys = { ArrowLeft: () => this._move(80, 0), ArrowRight: () => this._move(-80, 0), ArrowUp: () => this._move(0, 80), ArrowDown: () => this._move(0, -80),
        "+": () => this._zoom(1.5), "=": () => this._zoom(1.5), "-": () => this._zoom(1 / 1.5), 0: () => { this._camera = "all"; this._draw(); },
        " ": () => this._pause(!this._paused) };
      canvas.onkeydown = (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key] || (event.key === " " && !this.hasAttribute("motion"))) return;
        event.preventDefault();
        keys[event.key]();
      };
      const fingers = this._fingers;
      canvas.onpointerdown = (event) => {
        canvas.setPointerCapture(event.pointerId);
        fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
      };
      canvas.onpointermove = (event) => {
        const before = fingers.get(event.pointerId);
        if (!before) return;
        const now = [event.offsetX, event.offsetY];
        fingers.set(event.pointerId, now);
        const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
        if (other) {
          const apart = ([x, y]) => Math.max(1, Math.hypot(x - other[0], y - other[1]));
          this._zoom(apart(now) / apart(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
        }
        this._move((now[0] - before[0]) / (other ? 2 : 1), (now[1] - before[1]) / (other ? 2 : 1));
      };
      canvas.onpointerup = canvas.onpointercancel = (event) => { fingers.delete(event.pointerId); };
      canvas.addEventListener("wheel", (event) => {
        if (this.shadowRoot.activeElement !== canvas) return; // the page scrolls
        event.preventDefault();
        this._zoom(2 ** (-event.deltaY / 300), event.offsetX, event.offsetY);
      }, { passive: false });
    }
  }
  customElements.define("teemap-view", TeemapView);
}

if (globalThis.customElements) {
  if (!customElements.get("teemap-view")) define();
} else if (globalThis.WorkerGlobalScope) serve();
