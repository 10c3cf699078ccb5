// SPDX-License-Identifier: Zlib
// Drawing: a map that is prepared once, cameras, pixels out.
import { limitMethods, limitsOf } from "./wasm.js";
import { Owned, choose, collectFindings } from "./results.js";

const MISSING = ["client", "none", "white"];
const LOOKS = ["map", "ddnet", "teeworlds07"];
const BAND = 1 << 17; // pixels
const BARE = 0.06; // a view with something to see in a smaller share of its squares counts as empty

/** A map prepared for drawing. Later changes to the map do not show. */
export class Renderer extends Owned {
  constructor(map, { layers, entities = false, missing = "client", detail = true, numbers = true, look = "map", memory = 0,
    pixelLimit = 0, updates, ...own } = {}) {
    const clone = map.copy();
    const library = clone._library;
    let at = 0;
    try {
      const prepare = (list) => library.holding(clone._pictures, (number) => {
        at = library.take("p", "tm_renderer_new", clone._at, library.make("tm_render_options", {
          provider: library.function("teemap_image"), provider_ctx: number, missing: choose(MISSING, missing, "way"), no_detail: !detail,
          memory_budget: memory, pixel_limit: pixelLimit, job: library.job.at, look: choose(LOOKS, look, "look"), entities: Boolean(entities), no_numbers: !numbers, ...(updates ? { updates } : {}),
          ...(entities ? { mod: library.take("p", "tm_map_find_mod", 0, 0, clone._at) } : {}),
        }), list);
      });
      const findings = library.limited(limitsOf(map.limits, own), () => collectFindings(library, prepare));
      super(library, at, "tm_renderer_free", clone);
      this.findings = findings; // images that were not found, layers that are damaged
    } catch (error) {
      if (at && !library.dead) library.tm_renderer_free(at);
      clone.free();
      throw error;
    }
    this._map = clone._at;
    this.limits = map.limits;
    this.opacities = this._opacities(layers, entities);
  }

  /** How opaque each layer is, as the command line reads --layers and --entities; null: the design alone. */
  _opacities(layers, entities) {
    if (layers === undefined && !entities) return null;
    const library = this._library;
    const num = library.tm_map_num_layers(this._map);
    const wanted = layers === undefined ? [] : [[layers, C.TM_SELECT_DRAWN]];
    if (entities) wanted.push(entities === true ? ["physics", C.TM_SELECT_DRAWN] : [entities, C.TM_SELECT_PHYSICS]);
    return library.scope(() => {
      const opacities = library.alloc(4 * Math.max(1, num));
      for (const [words, which] of wanted) {
        const choices = library.list("tm_layer_choice", Array(Math.max(1, num)).fill({}));
        library.tm_select_layers(choices, this._map, words, which);
        library.tm_select_opacities(opacities, choices, num);
      }
      return Array.from(library.get(opacities, `${num}f`));
    });
  }

  /** A tm_camera in the scope at hand. */
  _camera(width, height, { view, region, fit = false, zoom = 1, scale = 0, flat = false, time = 0 } = {}) {
    const library = this._library;
    if ((view !== undefined) + (region !== undefined) + fit > 1) throw new TypeError("use only one of view, region and fit");
    const camera = library.make("tm_camera", { zoom, scale: 1, width, height, time });
    if (this.opacities) {
      camera.opacities = library.alloc(4 * Math.max(1, this.opacities.length));
      library.get(camera.opacities, `${this.opacities.length}f`).set(this.opacities);
    }
    if (typeof view === "string") {
      const found = library.make("tm_preview_view");
      library.tm_preview_find(found, this._at, camera, view);
      library.tm_preview_set_view(camera, found);
    } else if (view) {
      const [x, y, own = zoom] = view;
      Object.assign(camera, { x: x * 32, y: y * 32, zoom: own });
    } else {
      const area = library.make("tm_preview_area");
      if (region) ["x", "y", "width", "height"].forEach((name, i) => { area[name] = region[i]; });
      else library[fit ? "tm_preview_content_bounds" : "tm_preview_map_bounds"](area, this._map);
      camera.kind = flat ? C.TM_CAMERA_FLAT : region ? C.TM_CAMERA_REGION : C.TM_CAMERA_ZOOMED;
      library.tm_preview_fit_area(camera, area, scale);
    }
    return camera;
  }

  /**
   * Draws into `target`: ImageData, or { data, width, height } with data of width * height * 4 bytes. A picture of the whole map, a
   * region or what is in use may be smaller than the target: it is drawn at the top left, and its size returned.
   */
  draw(target, options = {}) {
    const { background = [0, 0, 0, 0] } = options;
    const { data, width, height } = target;
    if (data?.length !== width * height * 4) throw new TypeError(`a picture of ${width} x ${height} has ${width * height * 4} bytes`);
    return this._library.scope(() => {
      const camera = this._camera(width, height, options);
      const size = { width: camera.width, height: camera.height };
      if (size.width > width || size.height > height) throw new TypeError(`the picture has ${size.width} x ${size.height} pixels: too many for the target`);
      const picture = this._pixels(camera, background);
      if (size.width === width) data.set(picture);
      else for (let y = 0; y < size.height; y++) data.set(picture.subarray(y * size.width * 4, (y + 1) * size.width * 4), y * width * 4);
      return size;
    });
  }

  /**
   * The same as a picture of its own, as large as it becomes: of the whole map in this size at most, or with `scale` pixels a tile.
   * rows: only these, the first and how many, so that several workers share a picture.
   */
  picture(width, height, { rows, background = [0, 0, 0, 0], ...options } = {}) {
    return this._library.scope(() => {
      const camera = this._camera(width, height, options);
      const [first, num] = rows ?? [0, camera.height];
      const data = new Uint8ClampedArray(this._pixels(camera, background, first, num).slice().buffer);
      return { data, width: camera.width, height: num };
    });
  }

  _pixels(camera, background, first = 0, num = camera.height) {
    const library = this._library;
    const { width } = camera;
    const behind = library.make("tm_background", { rgba: background });
    const at = library.alloc(width * num * 4);
    const rows = library.make("tm_rows", { rgba: at, row_stride: width * 4, first, num });
    library.tm_background_fill(behind, width, rows);
    const band = library.watch ? Math.ceil(BAND / width) : num; // a call that may end early does so between bands
    for (let done = 0; done < num; done += band) {
      Object.assign(rows, { rgba: at + done * width * 4, first: first + done, num: Math.min(band, num - done) });
      library.tm_renderer_draw(this._at, camera, rows);
      library.watch?.step(Math.min(num, done + band), num);
    }
    return library.bytes(at, width * num * 4);
  }

  /** The views of the map that show most, the best one first. */
  best(num = 1, width = 640, height = 360, time = 0) {
    const library = this._library;
    return library.scope(() => {
      const camera = this._camera(width, height, { view: [0, 0], time });
      const found = library.alloc(4);
      const views = library.list("tm_preview_view", Array(Math.max(1, num)).fill({}));
      library.tm_preview_views(views, found, num, this._at, camera);
      return Array.from({ length: Math.min(num, library.get(found, "u")) }, (_, i) => this._told(library.item("tm_preview_view", views, i)));
    });
  }

  /** Parses `view`: a place, a tile, an object, "best". */
  find(view, width = 640, height = 360, time = 0) {
    return this._library.scope(() => {
      const camera = this._camera(width, height, { view: [0, 0], time });
      const found = this._library.make("tm_preview_view");
      this._library.tm_preview_find(found, this._at, camera, view);
      return this._told(found);
    });
  }

  _told({ kind, x, y, zoom, score, variety, lively, coverage }) {
    return { kind: this._library.tm_preview_kind_name(kind), x, y, zoom, score, variety, lively, coverage };
  }

  /** The pixel at which a group shows a point of the world (in tiles), in a picture of this size. */
  toPicture(group, point, width, height, options) { return this._point("tm_renderer_to_picture", group, point, width, height, options, 32, 1); }
  /** The point of the world that a group shows at a pixel. */
  fromPicture(group, point, width, height, options) { return this._point("tm_renderer_from_picture", group, point, width, height, options, 1, 1 / 32); }
  _point(name, group, [x, y], width, height, options, before, behind) {
    const library = this._library;
    return library.scope(() => {
      const camera = this._camera(width, height, options);
      const out = library.make("tm_vector");
      library[name](out, this._at, camera, group, library.make("tm_vector", { x: x * before, y: y * before }));
      return [out.x * behind, out.y * behind];
    });
  }
}

limitMethods(Renderer, { draw: 1, picture: 2, best: 4, find: 4 });

export function thumbnail(map, width, height, { background = [0, 0, 0, 255], ...options }) {
  const draw = (more, otherwise) => {
    const renderer = map.renderer({ ...options, ...more });
    try {
      const [best] = renderer.best(1, width, height);
      if (otherwise && best.lively < BARE) return otherwise();
      return renderer.picture(width, height, { view: [best.x, best.y, best.zoom], background });
    } finally {
      renderer.free();
    }
  };
  return draw({}, () => draw({ layers: "design", entities: true }));
}
