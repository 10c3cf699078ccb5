#!/usr/bin/env node
// SPDX-License-Identifier: Zlib
// The command line: npx teemap lint x.map. It reads and writes files as the native program does.
"use strict";
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { isatty } = require("node:tty");

const program = {
  arguments: process.argv.slice(2),
  thisProgram: "teemap",
  wasmBinary: readFileSync(join(__dirname, "cli.wasm")),
  preRun: (module) => Object.assign(module.ENV, process.env),
  // Emscripten takes all three for a terminal.
  onRuntimeInitialized() {
    for (const fd of [0, 1, 2]) program.FS.streams[fd].tty = isatty(fd);
  },
};
require("./cli.cjs")(program);
