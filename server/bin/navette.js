#!/usr/bin/env node
// Plain JavaScript: a Node version that cannot load TypeScript must still be able to run this check.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const needed = Number(/\d+/.exec(engines.node)?.[0]);

if (Number.parseInt(process.versions.node, 10) < needed) {
  process.stderr.write(`navette: needs Node.js ${needed} or newer, but this is Node.js ${process.versions.node}\n`);
  process.exitCode = 1;
} else {
  await import('../src/cli/navette.ts');
}
