// SPDX-License-Identifier: Zlib
// In the worker: images of games that maps only name, kept in the browser's own file system, for this page alone.
let place = null;

/** The folder of them; null: the browser gives none, as on pages from a disk. */
const folder = () => (place ??= (async () => (await navigator.storage.getDirectory()).getDirectoryHandle("mapres", { create: true }))().catch(() => null));

/** The names of the files that are kept: a map may name thousands of images. */
let names = null;
const namesKept = () => (names ??= folder().then(async (kept) => {
  const found = new Set();
  if (kept) for await (const name of kept.keys()) found.add(name);
  return found;
}));

const fileName = (name) => `${encodeURIComponent(name)}.png`;

/** The bytes of an image: of the files that came with the map, those that are kept, or from the address that the site sets. */
export async function imageOf(name, { images = {}, shelf = {}, base }) {
  const given = [images, shelf].find((one) => Object.hasOwn(one, name)); // a map may name one "constructor"
  if (given) return given[name];
  const kept = (await namesKept()).has(fileName(name)) ? await (await folder()).getFileHandle(fileName(name)).then((file) => file.getFile(), () => null) : null;
  if (kept || !base) return kept ?? null;
  const answer = await fetch(base + fileName(name)).catch(() => null);
  return answer?.ok ? answer : null;
}

/** Writes a whole image. False: there is no room, or another page writes it. */
async function keepOne(kept, name, bytes) {
  let handle = null;
  try {
    handle = await (await kept.getFileHandle(fileName(name), { create: true })).createSyncAccessHandle();
    handle.truncate(0);
    return handle.write(bytes) === bytes.length;
  } catch {
    return false;
  } finally {
    handle?.close();
  }
}

export const shelfWork = {
  /** Keeps images: their bytes by name. Returns whether they are there when the page is opened again: all, or as many as there is room for. */
  async keep(images) {
    const kept = await folder();
    if (!kept) return false;
    names = null;
    for (const [name, bytes] of Object.entries(images)) {
      if (await keepOne(kept, name, bytes)) continue;
      await kept.removeEntry(fileName(name)).catch(() => {}); // no half of one
      return false;
    }
    return true;
  },
};
