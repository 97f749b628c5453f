import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { dropDatabase } from '../server/test/drop-database.ts';
import { freePort } from '../server/test/free-port.ts';
import { openBrowser } from './browser.ts';
import { field } from './window.ts';

const databaseUrl = Object.assign(new URL(inject('templateDatabaseUrl')), { pathname: `/navette_dev_${process.pid}` });
const lines: string[] = [];
let dev: ChildProcess;
let ports: number[];
let url: string;
let messagesUrl: string;
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
  ports = [await freePort(), await freePort(), await freePort(), await freePort(), await freePort()];
  const [port, driverPort, consolePort, apiPort, messagesPort] = ports;
  [url, messagesUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${messagesPort}`];
  const given = {
    port,
    'driver-port': driverPort,
    'console-port': consolePort,
    'api-port': apiPort,
    'messages-port': messagesPort,
  };
  const args = Object.entries(given).flatMap(([name, value]) => [`--${name}`, String(value)]);
  dev = spawn(process.execPath, ['demo/dev.ts', ...args], {
    env: { ...process.env, DATABASE_URL: databaseUrl.href, REDIS_PREFIX: `navette_dev_${process.pid}:` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(dev, 'exit').then(() => {
    throw new Error(`npm run dev ended:\n${lines.join('\n')}`);
  });
  exited.catch(() => {});
  const started = new Promise<void>((resolve) => {
    createInterface({ input: dev.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      lines.push(line);
      if (line.includes('Ctrl-C')) resolve();
    });
  });
  await Promise.race([started, exited]);
});
afterAll(async () => {
  dev?.kill('SIGKILL');
  await browser?.close();
  await dropDatabase(databaseUrl.href);
});

test('npm run dev prints addresses and sign-ins; with them a browser reaches a dashboard with shipments', async () => {
  const output = lines.join('\n');
  expect(output).toContain(`${url}/dashboard/`);
  expect(output).toContain(messagesUrl);
  const password = /password "(.+)"/.exec(output)?.[1] ?? '';
  const page = await browser.newPage({ locale: 'fr-FR' });
  page.setDefaultTimeout(240_000);
  await page.goto(url);
  await page.getByRole('link', { name: /Tableau de bord/ }).click();
  await field(page, 'Adresse e-mail').fill('zoe@fleurs.example');
  await field(page, 'Mot de passe').fill(password);
  await page.keyboard.press('Enter');
  await page.getByText('Fleurs & Fils').first().waitFor({ timeout: 240_000 });
  await page.goto(`${url}/dashboard/shipments`);
  await page.getByText('CMD-').first().waitFor({ timeout: 240_000 });
  await page.close();
});

test('its link lets the first admin into the console', async () => {
  const link = lines.find((line) => line.includes('/console/invitation'))?.trim() ?? '';
  expect(link).toContain(`http://127.0.0.1:${ports[2]}/`);
  const page = await browser.newPage({ locale: 'fr-FR' });
  page.setDefaultTimeout(240_000);
  await page.goto(link);
  await page.getByRole('heading', { name: 'Rejoindre la console' }).waitFor();
  await page.close();
});

test('messages to recipients are on a page, with links that lead to the recipient’s page', async () => {
  const pageOf = async (address: string) => (await fetch(address)).text();
  await vi.waitFor(async () => expect(await pageOf(messagesUrl)).toMatch(/\/t\/[\w-]+/), {
    timeout: 600_000,
    interval: 500,
  });
  const link = /href="([^"]+\/t\/[\w-]+)"/.exec(await pageOf(messagesUrl))?.[1] ?? '';
  expect(link.startsWith(url)).toBe(true);
  expect((await fetch(link)).status).toBe(200);
});

test('SIGINT ends everything that was started', async () => {
  const exited = once(dev, 'exit') as Promise<[number | null]>;
  dev.kill('SIGINT');
  expect((await exited)[0]).toBe(0);
  for (const port of ports) await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
});
