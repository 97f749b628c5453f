import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import { freePort } from '../../server/test/free-port.ts';
import { readGuide } from '../../server/test/guide.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../server/test/test-server.ts';
import { startTestWorker, type TestWorker } from '../../server/test/test-worker.ts';
import { createTwin } from '../../server/test/twin.ts';
import { type CliProcess, environmentOf, runCli, startCli } from '../test/run-cli.ts';
import { COMMANDS } from './commands.ts';

const run = promisify(execFile);
const folder = join(import.meta.dirname, '..');
const guide = readGuide('cli/README.md');
/** A developer's project with the built packages. */
const shop = mkdtempSync(join(tmpdir(), 'navette-shop-'));
const program = join(shop, 'node_modules/@navette/cli/dist/navette-cli.js');

let server: TestServer;
let worker: TestWorker;
let twin: TestAccount;
const started: CliProcess[] = [];

beforeAll(async () => {
  await build({ root: folder, logLevel: 'error', build: { outDir: join(program, '..'), emptyOutDir: true } });
  const sdk = join(shop, 'node_modules/@navette/sdk');
  const tsc = join(folder, '../node_modules/typescript7/bin/tsc');
  const options = ['-p', join(folder, '../sdk/tsconfig.build.json'), '--outDir', join(sdk, 'dist')];
  await run(process.execPath, [tsc, ...options]);
  symlinkSync(join(folder, '../sdk/package.json'), join(sdk, 'package.json'));
  writeFileSync(join(shop, 'package.json'), '{"type": "module"}');
  mkdirSync(join(shop, 'home'));
  server = await startTestServer({ LOG_LEVEL: 'error' });
  worker = await startTestWorker(server);
  twin = await createTwin(server, await server.createAccount({ name: 'Atelier Zoé' }));
});
afterAll(async () => {
  for (const { process: child } of started) child.kill('SIGKILL');
  await worker.stop();
  await server.stop();
  rmSync(shop, { recursive: true });
});

/** The words of a command line, without quotation marks. */
const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

/** `…` in the page stands for any text. */
const asPattern = (text: string) =>
  new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*')}$`);

describe('the README', () => {
  test('its receiver gets the events that its commands cause, and is certified', async () => {
    const port = String(await freePort());
    const here = (text: string) => text.replaceAll('localhost:4000', `localhost:${port}`);
    const environment = {
      ...environmentOf(server, twin),
      NAVETTE_WEBHOOK_SECRET: 'any-text-that-your-receiver-knows',
      HOME: join(shop, 'home'),
      PORT: port,
    };
    writeFileSync(join(shop, 'receiver.ts'), guide.snippet('ts', '// receiver.ts'));
    const receiver = startCli([], environment, join(shop, 'receiver.ts'));
    started.push(receiver);
    await eventually(async () => expect((await fetch(`http://localhost:${port}/processed/none`)).status).toBe(200));

    const commandOf = (name: string) =>
      wordsOf(here(guide.snippet('bash', `npx @navette/cli ${name}`)))
        .slice(2)
        .map((word) => (word === 'report.html' ? join(shop, word) : word));
    const listener = startCli(commandOf('listen'), environment, program);
    started.push(listener);
    await eventually(() => expect(listener.lines.length, listener.errors()).toBeGreaterThan(2));
    const triggered = await runCli(commandOf('trigger'), environment, program);
    expect(triggered).toMatchObject({ code: 0, stderr: '' });
    const shown = here(guide.snippet('text', 'Forwarding')).trim().split('\n');
    await eventually(() => expect(listener.lines).toHaveLength(shown.length));
    for (const [i, line] of shown.entries()) expect(listener.lines[i]).toMatch(asPattern(line));
    listener.process.kill('SIGTERM');
    expect(await listener.exited).toBe(0);

    const certified = await runCli(commandOf('certify'), environment, program);
    expect(certified.stdout).toMatch(/ passed, 0 failed, 0 not judged$/);
    expect(certified.code).toBe(0);
    expect(readFileSync(join(shop, 'report.html'), 'utf8')).toContain('The webhook receiver passed');
  });

  test('has no other snippets, and names every command and only options that exist', () => {
    expect(guide.snippets.map(({ language }) => language)).toEqual(['bash', 'ts', 'bash', 'bash', 'text', 'bash']);
    for (const { name } of COMMANDS) expect(guide.text).toContain(name);
    const known = COMMANDS.flatMap(({ options }) => options.map(({ name }) => `--${name}`));
    const named = [...guide.text.matchAll(/--[a-z][a-z-]+/g)].map(([option]) => option);
    expect(named.filter((option) => !['--help', ...known].includes(option))).toEqual([]);
  });
});

describe('the built package', () => {
  test('is one program that imports nothing but modules of Node.js', async () => {
    const code = readFileSync(program, 'utf8');
    const imported = [...code.matchAll(/^import .*?["']([^"']+)["'];?$/gm)].map(([, name]) => name);
    expect(imported.filter((name) => !name?.startsWith('node:'))).toEqual([]);
    expect(code.startsWith('#!/usr/bin/env node\n')).toBe(true);
    expect(code.length).toBeLessThan(100_000);
  });

  test.each(COMMANDS.map(({ name }) => name))('%s --help describes its options and has an example', async (name) => {
    const { code, stdout } = await runCli([...name.split(' '), '--help'], {}, program);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: npx @navette\/cli /);
    expect(stdout).toContain(`Example:\n  npx @navette/cli ${name}`);
    for (const { name: option } of COMMANDS.find((command) => command.name === name)?.options ?? [])
      expect(stdout).toContain(`--${option}`);
  });

  test('lists its commands, and refuses an unknown one with exit code 2', async () => {
    const help = await runCli([], {}, program);
    expect(help.code).toBe(0);
    for (const { name } of COMMANDS) expect(help.stdout).toContain(name);
    expect(await runCli(['listn'], {}, program)).toMatchObject({ code: 2, stdout: '' });
    expect((await runCli(['trigger'], {}, program)).code).toBe(2);
  });
});
