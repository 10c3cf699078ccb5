// SPDX-License-Identifier: Zlib
// The command line in node says, writes and ends as the one of this machine: a table of commands, over maps of every kind.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { BINARY, PACKAGE, corpus, madeMap, scratch, teemap } from "./support.mjs";

const programs = { here: [join(BINARY, "teemap")], there: [process.execPath, join(PACKAGE, "bin.cjs")] };
const made = madeMap();
const changed = await teemap.Map.load(made);
changed.edit.run("fill game@3,3+4x4 freeze\nadd group New\nset info.author=Anna");
const { data, width, height } = { data: new Uint8ClampedArray(64 * 64 * 4).map((_, i) => (i % 4 === 3 ? 255 : i)), width: 64, height: 64 };
const files = { "a.map": made, "b.map": changed.save(), "broken.map": made.subarray(0, 900), "none.map": new Uint8Array(0), "logo.png": await teemap.writePng({ data, width, height }),
  "script.txt": "mirror x\nrename 0 $NAME\n", "walls.rules": "[Basic]\nIndex 1\n\n[Other]\nIndex 2\nPos 0 -1 EMPTY\n",
  ".teemap.toml": '[[lint.rule]]\nid = "mine"\nforbid = "freeze"\n' };

/** A folder with the files, in which one of the two works. */
function folder(name) {
  const path = scratch(name);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(join(path, "maps/sub"), { recursive: true });
  for (const [file, bytes] of Object.entries(files)) writeFileSync(join(path, file), bytes);
  for (const [i, map] of corpus.filter((_, n) => n % 9 === 0).entries()) copyFileSync(map, join(path, i % 2 ? "maps" : "maps/sub", `${i}.map`));
  return path;
}
const work = folder("work");

/** All files of a folder and below, with their bytes. */
function tree(path, prefix = "") {
  return readdirSync(path).sort().flatMap((name) => {
    const at = join(path, name);
    return lstatSync(at).isDirectory() ? [[prefix + name + "/", ""], ...tree(at, prefix + name + "/")] : [[prefix + name, readFileSync(at).toString("base64")]];
  });
}

const commands = [
  "--version", "--help", "", "frobnicate", "lint --frobnicate", "info", "info missing.map", "help lint", "help findings", "help bad-magic", "help edit mirror", "help nonsense",
  "info a.map", "info -v a.map", "info --json -v --hash a.map", "info broken.map", "info none.map", "info --facts b.map", "info --csv -r maps", "info -r --json maps", "info -m salvage broken.map",
  "ls a.map", "ls --json a.map", "cat a.map 1/0", "cat a.map image/own -o own.png", "cat a.map settings", "cat a.map Nowhere",
  "check a.map", "check --json broken.map", "check -r maps", "check -m strict -v -r maps", "lint a.map b.map", "lint -v b.map", "lint --json -r maps", "lint --no-config --format sarif b.map", "lint --list",
  "lint --fix b.map -o fixed.map", "find freeze b.map", "find --json tele-in b.map", "find -c freeze -r maps", "size a.map", "size --json -r maps",
  "copy a.map -o same.map", "copy --recompress a.map -o packed.map", "edit a.map -o e.map mirror x + rename 0 Sky", "edit a.map -o e.map --script script.txt -D NAME=Hills", "edit a.map -o e.map frobnicate",
  "edit -n a.map clean all", "edit a.map -o q.map quads from logo.png 1,1", "edit a.map -o p.map append b.map design", "edit --operations", "fix broken.map -o fixed.map", "fix -n a.map", "optimize a.map -o o.map",
  "optimize -n a.map", "convert a.map --to 0.7 -o seven.map", "convert a.map --to 0.6 --json -o six.map", "automap a.map -o auto.map --rules walls.rules --config Basic --layers 0/0", "rules check walls.rules",
  "diff a.map b.map", "diff -v --json a.map b.map", "diff a.map a.map", "diff a.map b.map -o ab.patch", "diff a.map b.map --page diffpage", "patch a.map ab.patch -o patched.map", "merge a.map b.map e.map -o merged.map",
  "unpack a.map -o folder", "pack folder -o again.map", "unpack b.map -t folders", "extract a.map -t extracted", "new -s 40x20 new.map", "new new.map",
  "render a.map -o whole.png -s 300x200", "render a.map --view spawn -o view.rgba -s 160x90", "render a.map -o entities.png --entities -s 200x100", "thumbnail a.map -t thumbs", "tiles a.map -o pyramid --tile 128",
  "gallery maps -o site", "embed a.map -o embedded.map", "embed -n -r maps", "animate a.map -o moves.apng -s 64x36 --duration 400", "rules show walls.rules --config Other -o rules.png",
];
// They tell of the system, or run its programs.
const others = ["doctor", "git"];
test("the table of this test has each command", () => {
  const { stdout } = spawnSync(programs.here[0], ["help"]);
  const [, list] = /^Commands\n(.*?)\n\n/ms.exec(stdout);
  const names = list.split("\n").map((line) => line.trim().split(" ")[0]);
  assert.ok(names.length > 25);
  assert.deepEqual(names.filter((name) => !others.includes(name) && !commands.some((line) => line.startsWith(`${name} `))), []);
});

const skip = corpus.length ? false : "no corpus";
test("the same output, files and statuses", { skip }, async (t) => {
  for (const line of commands)
    await t.test(`teemap ${line}`, () => {
      const results = {};
      for (const [side, [program, ...words]] of Object.entries(programs)) {
        // One place for both, so that paths in the output are the same: what it held before is put back.
        const before = scratch("before");
        if (side === "here") {
          rmSync(before, { recursive: true, force: true });
          cpSync(work, before, { recursive: true, preserveTimestamps: true });
        } else {
          rmSync(work, { recursive: true, force: true });
          cpSync(before, work, { recursive: true, preserveTimestamps: true });
        }
        const { status, signal, stdout, stderr } = spawnSync(program, [...words, ...line.split(" ").filter(Boolean)], { cwd: work, maxBuffer: 1 << 28, env: { ...process.env, LC_ALL: "C" } });
        results[side] = { status, signal, stdout: stdout.toString(), stderr: stderr.toString(), files: tree(work) };
      }
      const { files: theirs, ...said } = results.there;
      const { files: ours, ...expected } = results.here;
      assert.deepEqual(said, expected);
      assert.deepEqual(theirs.map(([name]) => name), ours.map(([name]) => name));
      for (const [i, [name, bytes]] of theirs.entries()) assert.ok(bytes === ours[i][1], `${name} has other bytes`);
    });
});

test("maps from standard input, and to standard output", () => {
  for (const words of [["info", "-"], ["check", "-"], ["copy", "-", "-o", "-"], ["render", "-", "-o", "-", "-s", "64x64"]]) {
    const [here, there] = Object.values(programs).map(([program, ...first]) => spawnSync(program, [...first, ...words], { input: made, maxBuffer: 1 << 28 }));
    assert.deepEqual([there.status, there.stderr.toString(), there.stdout.equals(here.stdout)], [here.status, here.stderr.toString(), true], words.join(" "));
  }
});
