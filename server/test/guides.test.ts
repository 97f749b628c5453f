import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  BATCH_BODY_LIMIT_BYTES,
  BODY_LIMIT_BYTES,
  DEFAULT_PAGE_SIZE,
  DEFAULT_RATE_LIMITS,
  MAX_ACTIVE_KEYS_PER_ACCOUNT,
  MAX_BATCH_ENTRIES,
  MAX_EXPORTED_LABELS,
  MAX_EXTERNAL_REFERENCE_BYTES,
  MAX_GROUP_REFERENCE_LENGTH,
  MAX_IDEMPOTENCY_KEY_LENGTH,
  MAX_METADATA_BYTES,
  MAX_PAGE_SIZE,
  MAX_WEBHOOKS_PER_ACCOUNT,
  MAX_WEIGHT_KG,
  WEBHOOK_EVENTS,
} from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linePattern, readGuide } from './guide.ts';
import { startTestServer, type TestAccount, type TestServer } from './test-server.ts';
import { createTwin } from './twin.ts';

const run = promisify(execFile);
const quickStart = readGuide('docs/quick-start.md');
const folder = mkdtempSync(join(tmpdir(), 'navette-guides-'));

let server: TestServer;
let twin: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  twin = await createTwin(server, await server.createAccount());
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** The commands of the quick start that the other pages continue: `api`, `auth`, `ship` and `id`. */
const beginning = [quickStart.snippet('bash', 'auth=('), quickStart.snippet('bash', 'ship() {')].join('\n');

async function printedBy(commands: string[]): Promise<string[]> {
  const script = `url=$1 KEY=$2 CLIENT_ID=$3; { ${beginning} } > /dev/null\n${commands.join('\n')}`;
  const { stdout } = await run('bash', ['-euc', script, 'bash', server.url, twin.key, twin.clientId], { cwd: folder });
  return stdout.trim().split(/\r?\n/);
}

// docs/quick-start.md: e2e/site/stranger.browser.test.ts. docs/webhooks.md and docs/test-mode.md have tests of their own.
describe.each(['idempotency', 'labels', 'pagination', 'limits', 'going-live'])('docs/%s.md', (name) => {
  const { snippets } = readGuide(`docs/${name}.md`);

  test('its commands print what the page shows', async () => {
    const commands = snippets.filter(({ language }) => language === 'bash').map(({ text }) => text);
    const shown = snippets.filter(({ language }) => language !== 'bash').flatMap(({ text }) => text.trim().split('\n'));
    expect(commands.length).toBeGreaterThan(0);
    const printed = (await printedBy(commands)).map((line) => line.trim());
    // A list on the page shows its first line; the account has some shipments.
    const lines = name === 'pagination' ? printed.slice(0, shown.length) : printed;
    expect(lines).toHaveLength(shown.length);
    for (const [i, line] of shown.entries()) expect(lines[i]).toMatch(linePattern(line));
  });
});

test('docs/pagination.md reads every shipment once, over several pages', async () => {
  const { snippet } = readGuide('docs/pagination.md');
  for (let i = 0; i < 3; i++) await printedBy([]);
  const all = await printedBy([snippet('bash', 'nextCursor').replace('limit=100', 'limit=2')]);
  expect(new Set(all).size).toBe(all.length);
  const { body } = await server.call(twin, 'GET', '/shipping');
  expect(all).toHaveLength(body.pagination.total);
  expect(body.pagination.total).toBeGreaterThan(4);
});

test('docs/webhooks.md subscribes to every event', async () => {
  const [printed = ''] = await printedBy([readGuide('docs/webhooks.md').snippet('bash', '/webhooks')]);
  expect(JSON.parse(printed)).toMatchObject({ success: true, webhook: { events: WEBHOOK_EVENTS, isActive: true } });
});

test.each(['docs/limits.md', 'docs/fr/limits.md'])('%s has the numbers of the contract', (path) => {
  const text = readGuide(path).text.replaceAll(/(\d)[, \u202f\u00a0](?=000)/g, '$1');
  const numbers = [
    ...Object.values(DEFAULT_RATE_LIMITS),
    ...[MAX_ACTIVE_KEYS_PER_ACCOUNT, MAX_BATCH_ENTRIES, MAX_EXPORTED_LABELS, MAX_GROUP_REFERENCE_LENGTH],
    ...[MAX_IDEMPOTENCY_KEY_LENGTH, MAX_PAGE_SIZE, MAX_WEBHOOKS_PER_ACCOUNT, MAX_WEIGHT_KG],
  ];
  for (const number of numbers) expect(text).toMatch(new RegExp(`(?<!\\d)${number}(?!\\d)`));
  const [mib, kib] = [1024 * 1024, 1024];
  for (const bytes of [BODY_LIMIT_BYTES, BATCH_BODY_LIMIT_BYTES]) expect(text).toMatch(new RegExp(`${bytes / mib} Mi`));
  for (const bytes of [MAX_METADATA_BYTES, MAX_EXTERNAL_REFERENCE_BYTES])
    expect(text).toMatch(new RegExp(`${bytes / kib} Ki`));
});

test('docs/pagination.md has the page sizes of the contract', () => {
  expect(readGuide('docs/pagination.md').text).toContain(`${DEFAULT_PAGE_SIZE} per page`);
  expect(readGuide('docs/pagination.md').text).toContain(`up to ${MAX_PAGE_SIZE}`);
});
