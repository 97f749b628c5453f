import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { TEST_FAULTS, TEST_NAMES, TEST_STEPS } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ship } from '../../../test/dispatched.ts';
import { linePattern, readGuide } from '../../../test/guide.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker } from '../../../test/test-worker.ts';
import { createTwin } from '../../../test/twin.ts';

const guide = readGuide('docs/test-mode.md');
const run = promisify(execFile);

let server: TestServer;
let worker: TestWorker;
let twin: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  worker = await startTestWorker(server);
  twin = await createTwin(server, await server.createAccount());
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
});

describe('docs/test-mode.md', () => {
  test('its shell commands, in the order of the page, print what the page shows', async () => {
    const commands = guide.snippets.filter(({ language }) => language === 'bash').map(({ text }) => text);
    const shown = guide.snippets
      .filter(({ language }) => language === 'json')
      .flatMap(({ text }) => text.trim().split('\n'));
    expect(commands.length).toBeGreaterThanOrEqual(3);
    const script = `url=$1 KEY=$2 CLIENT_ID=$3; ${commands.join('\n')}`;
    const { stdout } = await run('bash', ['-euc', script, 'bash', server.url, twin.key, twin.clientId]);
    const printed = stdout.trim().split('\n');
    expect(printed).toHaveLength(shown.length);
    for (const [i, line] of shown.entries()) expect(printed[i]).toMatch(linePattern(line));
  });

  test('each call of its tables and sentences succeeds', async () => {
    const calls = [...guide.text.matchAll(/`(GET|PUT|POST|DELETE) (\/test\/\S+)`(?: `(\{.*?\})`)?/g)];
    const { body } = await server.call(twin, 'POST', '/webhooks', {
      body: { url: 'https://shop.example.org/calls', events: ['shipping.created'] },
    });
    for (const [text, method = '', path = '', json] of calls) {
      if (method === 'PUT' && !json) continue; // a sentence about the endpoint
      const { _id } = await ship(server, twin);
      await server.call(twin, 'POST', `/test/shipping/${_id}/until`, { body: { status: 'assigned' } });
      const { id: eventId } = await server.db
        .selectFrom('events')
        .select('id')
        .where('shipment_id', '=', _id)
        .where('type', '=', 'shipping.created')
        .executeTakeFirstOrThrow();
      const id = path.includes('webhooks') ? body.webhook._id : path.includes('events') ? eventId : _id;
      const options = json ? { body: JSON.parse(json) } : {};
      const { status } = await server.call(twin, method as 'GET', path.replace(':id', id), options);
      expect([text, status]).toEqual([text, 200]);
    }
    expect(calls.length).toBeGreaterThan(8);
  });

  test('it names every step, fault and recipient name of the contract', () => {
    for (const name of [...TEST_STEPS, ...Object.keys(TEST_FAULTS), ...Object.values(TEST_NAMES)])
      expect(guide.text).toContain(`\`${name}\``);
  });
});
