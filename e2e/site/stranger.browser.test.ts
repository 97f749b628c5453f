import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import { freePort } from '../../server/test/free-port.ts';
import { linePattern } from '../../server/test/guide.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../server/test/test-server.ts';
import { startTestWorker, type TestWorker } from '../../server/test/test-worker.ts';
import { timeLimitMs } from '../../server/test/time-limit.ts';
import { createTwin } from '../../server/test/twin.ts';
import { openBrowser } from '../browser.ts';
import { openWindow } from '../window.ts';

const COMMANDS_MS = 30_000; // for all of them on a quiet machine; a person also reads

let server: TestServer;
let worker: TestWorker;
let browser: Browser;
let twin: TestAccount;
const folder = mkdtempSync(join(tmpdir(), 'navette-stranger-'));
beforeAll(async () => {
  const port = String(await freePort()); // the page contains the address
  server = await startTestServer({ PORT: port, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
  worker = await startTestWorker(server);
  twin = await createTwin(server, await server.createAccount());
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await worker?.stop();
  await server?.stop();
  rmSync(folder, { recursive: true });
});

test('a stranger who copies the commands of the quick start ends with a verified webhook', async () => {
  const { page, seen } = await openWindow(browser, `${server.url}/docs`, null, {
    locale: 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.getByRole('main').getByRole('link', { name: 'Quick start', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Quick start' }).waitFor();

  const port = await freePort();
  const shell = startShell(port);
  const started = performance.now();
  try {
    const blocks = await readBlocks(page);
    let printed: string[] = [];
    const unlike: string[] = [];
    for (const { language, text } of blocks) {
      if (language === 'bash') printed = await shell.run(withOwnValues(text, port));
      else unlike.push(...linesUnlike(printed, text));
    }
    expect(unlike).toEqual([]);
    expect(printed.at(-1)).toMatch(/^verified shipping\.delivered \w+$/);
    await eventually(async () => {
      // Events may arrive in any order, and twice.
      const events = (await shell.run('cat received.log')).map((line) => line.split(' ').slice(0, 2).join(' '));
      expect([...new Set(events)].sort()).toEqual([
        'verified shipping.assigned',
        'verified shipping.delivered',
        'verified shipping.picked_up',
      ]);
    });
    expect(performance.now() - started).toBeLessThan(timeLimitMs(COMMANDS_MS));
    expect(seen.complaints).toEqual([]);
  } finally {
    await shell.stop();
  }
});

/** Each code block as its copy button gives it. */
async function readBlocks(page: Page): Promise<{ language: string; text: string }[]> {
  const blocks = [];
  for (const figure of await page.locator('figure.code').all()) {
    await figure.getByRole('button', { name: 'Copy' }).click();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    blocks.push({ language: (await figure.getAttribute('data-language')) ?? '', text });
  }
  expect(blocks.length).toBeGreaterThan(12);
  return blocks;
}

/** The reader's own values: key, client id and the address of the receiver. */
const withOwnValues = (text: string, port: number) =>
  text
    .replace('navette_test_…', twin.key)
    .replace('nvc_test_…', twin.clientId)
    .replace('https://shop.example.org/navette', `http://127.0.0.1:${port}/`);

/** The lines that differ from those that the page shows; it may leave earlier ones out. */
function linesUnlike(printed: string[], shown: string): string[] {
  const lines = shown.trim().split('\n');
  const last = printed.slice(-lines.length);
  return lines.flatMap((line, i) => (linePattern(line).test(last[i] ?? '') ? [] : [`${line} ≠ ${last[i]}`]));
}

function startShell(port: number) {
  const environment = {
    HOME: folder,
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    PORT: String(port),
    LANG: 'C.UTF-8',
  };
  const shell: ChildProcessWithoutNullStreams = spawn('bash', [], { cwd: folder, env: environment, detached: true });
  let output = '';
  shell.stdout.on('data', (part) => (output += part));
  shell.stderr.on('data', (part) => (output += part));
  let blocks = 0;
  return {
    /** The lines that the commands print. */
    run: async (commands: string): Promise<string[]> => {
      const end = `end of block ${++blocks}`;
      output = '';
      shell.stdin.write(`${commands}\necho; echo '${end}'\n`);
      await eventually(() => expect(output).toContain(end));
      return output
        .slice(0, output.indexOf(end))
        .split('\n')
        .filter((line) => line !== '');
    },
    stop: async () => {
      const ended = new Promise((resolve) => shell.once('exit', resolve));
      if (shell.pid) process.kill(-shell.pid, 'SIGKILL'); // its group: the receiver too, also while a command waits
      await ended;
    },
  };
}
