// SPDX-License-Identifier: Zlib
// What the tests share: the package that was built, the programs of this machine, maps, checksums.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
export const PACKAGE = process.env.TEEMAP_PACKAGE ?? join(ROOT, "build/web/package");
export const BINARY = process.env.TEEMAP_BINARY ?? join(ROOT, "build/dev");
export const teemap = await import(pathToFileURL(join(PACKAGE, "teemap.js")));
export const viewer = await import(pathToFileURL(join(PACKAGE, "viewer.js")));
/** The viewer as engines have it that know no vectors. */
export const plainViewer = await import(pathToFileURL(join(PACKAGE, "viewer.js")) + "?plain");
await plainViewer.init(readFileSync(join(PACKAGE, "viewer.wasm")));

const folder = mkdtempSync(join(tmpdir(), "teemap-web-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
export const scratch = (name) => join(folder, name);

/** Runs a program; its output, whether it ends with 0 or 1, or refuses a map and says why. */
function run(program, words) {
  try {
    return execFileSync(program, words, { cwd: folder, maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    if (error.status === 1 || (error.status === 2 && error.stdout.length)) return error.stdout;
    throw new Error(`${program} ${words.join(" ")}: ${error.stderr ?? error}`);
  }
}
export const native = (...words) => run(join(BINARY, "teemap"), words);
export const portrait = (path) => run(join(BINARY, "tests/tools/portrait"), [path]).toString().trim();

/** A map with one of most things. */
export function madeMap() {
  const path = scratch("made.map");
  if (!existsSync(path)) run("env", [`TEEMAP=${join(BINARY, "teemap")}`, join(ROOT, "tests/tools/mapmaker.sh"), "build", "ddnet", path]);
  return readFileSync(path);
}

const shared = join(process.env.TEEMAP_SHARED ?? join(ROOT, "../shared"), "corpus");
const step = Number(process.env.TEEMAP_CORPUS_STEP ?? 1);
const all = existsSync(shared) ? readdirSync(shared, { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name !== "failed")
  .flatMap(({ name }) => readdirSync(join(shared, name)).filter((file) => file.endsWith(".map")).map((file) => join(shared, name, file))).sort() : [];
export const corpus = all.filter((_, i) => i % step === 0);

let games = null;
try {
  games = execFileSync("bash", [join(ROOT, "tests/support/games.sh"), "file", "ddnet", "mapres"]).toString().trim();
} catch {
  // DDNet is not installed.
}
export const hasGame = games !== null;
/** Pictures as the installed game has them. */
export const images = (name) => games && existsSync(join(games, name + ".png")) ? readFileSync(join(games, name + ".png")) : null;

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});
export function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) crc = table[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ((crc ^ -1) >>> 0).toString(16).padStart(8, "0");
}
export const parse = (text) => JSON.parse(text.toString());
