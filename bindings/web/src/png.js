// SPDX-License-Identifier: Zlib
// PNG in. Browsers and node unpack its stream themselves; what the library reads it with would be a tenth of the viewer.
import { TeemapError } from "./wasm.js";

const SIGNATURE = "137,80,78,71,13,10,26,10";
const CHANNELS = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const DEPTHS = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] };
// Of an interlaced picture: first column and row, steps.
const PASSES = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]];
const MOST = 2 ** 30; // bytes of a picture
const SUMS = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

function fail(reason, code = "damaged") {
  throw new TeemapError(`cannot read PNG: ${reason}`, { code, side: "input", reason });
}

function sumOf(bytes) {
  let sum = -1;
  for (const byte of bytes) sum = SUMS[(sum ^ byte) & 255] ^ (sum >>> 8);
  return ~sum >>> 0;
}

/** The data of the chunks that hold pixels, by name, concatenated. */
function chunksOf(bytes) {
  if (bytes.subarray(0, 8).join() !== SIGNATURE) fail("it does not start with the bytes of one");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks = { IHDR: [], PLTE: [], tRNS: [], IDAT: [] };
  for (let at = 8; ;) {
    if (bytes.length - at < 12) fail("it ends early");
    const size = view.getUint32(at);
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (name === "IEND") return chunks;
    if (size > bytes.length - at - 12) fail(`the chunk ${name} ends behind the file`);
    if (chunks[name]) {
      if (view.getUint32(at + 8 + size) !== sumOf(bytes.subarray(at + 4, at + 8 + size))) fail(`the sum of the chunk ${name} is wrong`);
      chunks[name].push(bytes.subarray(at + 8, at + 8 + size));
    }
    at += 12 + size;
  }
}

/** What a stream unpacks to, which must be `size` bytes at least. */
async function unpacked(parts, size) {
  const out = new Uint8Array(size);
  const reader = new Blob(parts).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  for (let at = 0; at < size;) {
    const { value, done } = await reader.read().catch(() => fail("its stream is damaged"));
    if (done) fail("its pixels end early");
    out.set(value.subarray(0, size - at), at);
    at += value.length;
  }
  reader.cancel().catch(() => {});
  return out;
}

/** Undoes the filter of a row; `above`: the row before, `step`: bytes of a pixel. */
function unfilter(kind, row, above, step) {
  if (kind > 4) fail(`there is no filter ${kind}`);
  for (let i = 0; i < row.length && kind; i++) {
    const left = i < step ? 0 : row[i - step];
    const up = above[i];
    const corner = i < step ? 0 : above[i - step];
    const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
    row[i] += kind === 1 ? left : kind === 2 ? up : kind === 3 ? (left + up) >> 1 : a <= b && a <= c ? left : b <= c ? up : corner;
  }
}

/** A function that puts pixel x of a row at a place of the picture. */
function painter(data, depth, color, palette, clear) {
  const most = 2 ** depth - 1;
  const sample = (row, i) => depth === 8 ? row[i] : depth === 16 ? row[2 * i] << 8 | row[2 * i + 1] : row[i * depth >> 3] >> (8 - depth - i * depth % 8) & most;
  const byte = (value) => depth === 16 ? value >> 8 : value * 255 / most;
  const key = clear && Array.from({ length: CHANNELS[color] }, (_, k) => (clear[2 * k] << 8 | clear[2 * k + 1]) & most);
  return (row, x, at) => {
    if (color === 3) {
      const i = sample(row, x);
      if (3 * i >= palette.length) fail("a pixel has no color");
      data.set(palette.subarray(3 * i, 3 * i + 3), at);
      data[at + 3] = clear?.[i] ?? 255;
      return;
    }
    const num = CHANNELS[color];
    const gray = num < 3;
    for (let k = 0; k < 3; k++) data[at + k] = byte(sample(row, num * x + (gray ? 0 : k)));
    data[at + 3] = num % 2 ? 255 : byte(sample(row, num * x + num - 1));
    if (key?.every((value, k) => value === sample(row, num * x + k))) data[at + 3] = 0;
  };
}

/** Reads a PNG: { data, width, height }, straight alpha. */
export async function decode(bytes) {
  const { IHDR: [head], PLTE: [palette], tRNS: [clear], IDAT } = chunksOf(bytes);
  if (head?.length !== 13) fail("it has no head");
  const view = new DataView(head.buffer, head.byteOffset, 13);
  const [width, height, depth, color] = [view.getUint32(0), view.getUint32(4), head[8], head[9]];
  if (!DEPTHS[color]?.includes(depth) || head[10] || head[11] || head[12] > 1 || !width || !height) fail("its head is damaged");
  if (color === 3 && !palette) fail("it has no palette");
  const passes = (head[12] ? PASSES : [[0, 0, 1, 1]]).map(([x, y, across, down]) => ({
    x, y, across, down, columns: Math.ceil(Math.max(0, width - x) / across), rows: Math.ceil(Math.max(0, height - y) / down) }));
  const bits = CHANNELS[color] * depth;
  const pitch = (columns) => columns ? 1 + Math.ceil(columns * bits / 8) : 0;
  const size = passes.reduce((sum, { columns, rows }) => sum + rows * pitch(columns), 0);
  if (4 * width * height > MOST) fail(`${width} x ${height} pixels are more than ${MOST} bytes, which is the limit`, "limit");
  if (size / 1032 > bytes.length) fail(`a file of ${bytes.length} bytes is too short for ${width} x ${height} pixels`); // deflate yields no more from one
  const rows = await unpacked(IDAT, size);
  const data = new Uint8ClampedArray(4 * width * height);
  const plain = color === 6 && depth === 8 && !head[12];
  const put = painter(data, depth, color, palette, clear);
  let at = 0;
  for (const pass of passes) {
    const length = pitch(pass.columns) - 1;
    let above = new Uint8Array(Math.max(0, length));
    for (let j = 0; j < pass.rows && length > 0; j++, at += length + 1) {
      const row = rows.subarray(at + 1, at + 1 + length);
      unfilter(rows[at], row, above, Math.max(1, bits >> 3));
      const to = (pass.y + j * pass.down) * width + pass.x;
      if (plain) data.set(row, 4 * to);
      else for (let x = 0; x < pass.columns; x++) put(row, x, 4 * (to + x * pass.across));
      above = row;
    }
  }
  return { data, width, height };
}
