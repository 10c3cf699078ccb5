// SPDX-License-Identifier: Zlib
// The package as npm installs it into an empty folder: the command line, the modules, the types.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { PACKAGE, madeMap, native, scratch } from "./support.mjs";

const { version } = JSON.parse(readFileSync(join(PACKAGE, "package.json")));
const has = (program) => spawnSync(program, ["--version"]).status === 0;
const skip = has("npm") ? false : "npm is missing";

test("npm installs it, and it works there", { skip }, async (t) => {
  const folder = scratch("installed");
  mkdirSync(folder);
  const run = (program, ...words) => {
    const { status, stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: "utf8", env: { ...process.env, npm_config_cache: join(folder, ".npm") } });
    return { status, stdout, stderr };
  };
  const fine = (program, ...words) => {
    const { status, stdout, stderr } = run(program, ...words);
    assert.equal(status, 0, `${program} ${words.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  };
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  writeFileSync(join(folder, "x.map"), madeMap());
  fine("npm", "install", "--offline", "--no-audit", "--no-fund", join(PACKAGE, `../teemap-${version}.tgz`));

  await t.test("npx teemap", () => {
    const { status, stdout } = run("npx", "--offline", "teemap", "lint", "--no-config", "x.map");
    writeFileSync(scratch("x.map"), madeMap());
    assert.equal(stdout, native("lint", "--no-config", "x.map").toString());
    assert.equal(status, 1);
  });

  await t.test("modules by their names", () => {
    writeFileSync(join(folder, "x.js"), `import { readFileSync } from "node:fs";
      import { Map } from "teemap";
      import { Map as Viewed } from "teemap/viewer";
      import "teemap/view";
      const bytes = readFileSync("x.map");
      console.log((await Map.load(bytes)).lint().findings.length > 0, (await Viewed.load(bytes)).area.width);`);
    assert.equal(fine("node", "x.js"), "true 60\n");
  });

  await t.test("types", { skip: has("tsc") ? false : "tsc is missing" }, () => {
    writeFileSync(join(folder, "x.ts"), `import { Map } from "teemap";
      import { Map as Viewed } from "teemap/viewer";
      import "teemap/view";
      export const width: number = (await Viewed.load(new Uint8Array(1))).area.width + (await Map.load(new Uint8Array(1))).lint().findings.length;
      export const missing: string[] = document.createElement("teemap-view").missing;`);
    const check = () => fine("tsc", "--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,dom", "--module", "node16", "--moduleResolution", "node16", "x.ts");
    check();
    writeFileSync(join(folder, "x.ts"), 'import { Map } from "teemap";\nexport const width: string = (await Map.load(new Uint8Array(1))).area.width;');
    assert.throws(check, /not assignable/);
  });
});
