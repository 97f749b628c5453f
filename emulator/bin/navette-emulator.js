#!/usr/bin/env node
// Plain JavaScript: a Node version that is too old must still be able to run this check.
import { existsSync } from 'node:fs';
import module from 'node:module';

const NEEDED = 24;
const sources = new URL('../src/main.ts', import.meta.url);

if (Number.parseInt(process.versions.node, 10) < NEEDED) {
  process.stderr.write(`navette-emulator: needs Node.js ${NEEDED} or newer, but this is ${process.versions.node}\n`);
  process.exitCode = 1;
} else {
  module.enableCompileCache();
  await import(existsSync(sources) ? sources.href : '../dist/emulator/src/main.js'); // a checkout of the project has sources
}
