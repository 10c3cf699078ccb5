// Runs a WebAssembly program once for each file, which it reads from its standard input: run_wasm.mjs PROGRAM FILE...
// The few functions of WASI that such a program calls are written out, as in a browser: node's own ("node:wasi") let
// node 20 crash after large maps.
import { readFileSync, writeSync } from "node:fs";

const BAD_FILE = 8, NO_SEEK = 70, NOT_THERE = 52; // errors of WASI
class Exit extends Error {}

// What the program sees of the world: `input` is its standard input.
function world(input) {
  let at = 0;
  let memory;
  const view = () => new DataView(memory.buffer);
  // The pieces of memory that a list of (address, size) names.
  const pieces = (list, count) =>
    Array.from({ length: count }, (_, i) =>
      new Uint8Array(memory.buffer, view().getUint32(list + 8 * i, true), view().getUint32(list + 8 * i + 4, true)));
  const calls = {
    args_sizes_get(count, bytes) {
      view().setUint32(count, 0, true);
      view().setUint32(bytes, 0, true);
      return 0;
    },
    args_get: () => 0,
    fd_read(fd, list, count, done) {
      if (fd !== 0) return BAD_FILE;
      const start = at;
      for (const piece of pieces(list, count)) {
        const part = input.subarray(at, at + piece.length);
        piece.set(part);
        at += part.length;
      }
      view().setUint32(done, at - start, true);
      return 0;
    },
    fd_write(fd, list, count, done) {
      if (fd !== 1 && fd !== 2) return BAD_FILE;
      const parts = pieces(list, count);
      for (const part of parts) writeSync(fd, part);
      view().setUint32(done, parts.reduce((sum, part) => sum + part.length, 0), true);
      return 0;
    },
    fd_fdstat_get(fd, stat) {
      if (fd > 2) return BAD_FILE;
      new Uint8Array(memory.buffer, stat, 24).fill(0);
      view().setUint8(stat, 2); // a character device
      return 0;
    },
    fd_seek: () => NO_SEEK,
    fd_close: () => 0,
    fd_prestat_get: () => BAD_FILE, // no folders
    proc_exit(status) {
      throw Object.assign(new Exit(), { status });
    },
  };
  return {
    imports: { wasi_snapshot_preview1: new Proxy(calls, { get: (known, name) => known[name] ?? (() => NOT_THERE) }) },
    use: (instance) => (memory = instance.exports.memory),
  };
}

function run(module, path) {
  const { imports, use } = world(readFileSync(path));
  const instance = new WebAssembly.Instance(module, imports);
  use(instance);
  try {
    instance.exports._start();
    return 0;
  } catch (error) {
    if (error instanceof Exit) return error.status;
    throw error;
  }
}

const [program, ...paths] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(program));
for (const path of paths) process.exitCode = run(module, path) || process.exitCode;
