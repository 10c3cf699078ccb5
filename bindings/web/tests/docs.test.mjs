// SPDX-License-Identifier: Zlib
// docs/web.md and the READMEs do what they say: each block runs, with maps that it speaks of.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { PACKAGE, ROOT, madeMap, scratch, teemap } from "./support.mjs";

const page = readFileSync(join(ROOT, "docs/web.md"), "utf8");
const blocks = [page, ...["README.md", "bindings/web/README.md"].map((name) => readFileSync(join(ROOT, name), "utf8"))]
  .flatMap((text) => [...text.matchAll(/^```js\n(.*?)^```/gms)].map(([, block]) => block));

test("the page has its blocks, and its package is the one that was built", async () => {
  assert.ok(blocks.length >= 12);
  const { version } = JSON.parse(readFileSync(join(PACKAGE, "package.json")));
  assert.equal(version, await teemap.version());
  assert.ok(page.includes(`teemap-${version}.tgz`));
  const told = [...page.matchAll(/^\| ((?:`[\w.]+`(?:, )?)+) \|/gm)].flatMap(([, names]) => [...names.matchAll(/`([\w.]+)`/g)].map(([, name]) => name));
  const attributes = told.filter((name) => !name.includes(".")).sort();
  for (const name of told.filter((one) => one.includes("."))) assert.ok(existsSync(join(PACKAGE, name)), name);
  const [, known] = /observedAttributes\(\) \{ return (\[.*?\])/.exec(readFileSync(join(PACKAGE, "view.js"), "utf8"));
  assert.deepEqual(attributes, JSON.parse(known).sort());
});

blocks.forEach((block, i) => test(`block ${i + 1}: ${block.split("\n").find((line) => line && !line.startsWith("import"))}`, async () => {
  globalThis.ImageData ??= class { constructor(width, height) { Object.assign(this, { data: new Uint8ClampedArray(width * height * 4), width, height }); } };
  const picture = { data: new Uint8ClampedArray(256 * 256 * 4).fill(200), width: 256, height: 256 };
  const given = {
    bytes: madeMap(), logo: await teemap.writePng(picture), rules: { grass_main: "[Basic]\nIndex 1\n" }, console: { log() {} }, text: "",
    fetch: async () => ({ ok: true, arrayBuffer: async () => (await teemap.writePng(picture)).buffer }),
  };
  const maps = ["map", "before", "after", "ours", "theirs", "other"].filter((name) => !new RegExp(`const ${name}\\b`).test(block));
  for (const name of maps) given[name] = await teemap.Map.load(madeMap());
  given.after?.edit.mirror({ way: "x" });
  globalThis.given = given;
  const imports = [...block.matchAll(/^import \{ (.*) \} from/gm)].flatMap(([, names]) => names.split(", "));
  const body = block.replace(/^import .*\n/gm, "");
  const module = scratch(`block${i}.mjs`);
  writeFileSync(module, `import { ${[...new Set([...imports, "Map"])].join(", ")} } from ${JSON.stringify(pathToFileURL(join(PACKAGE, "teemap.js")).href)};
const { ${Object.keys(given).join(", ")} } = globalThis.given;
{\n${body}\n}\n`);
  await import(pathToFileURL(module));
}));
