import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../server/test/test-server.ts';
import { listenWithKills } from '../../test/listen-with-kills.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ LOG_LEVEL: 'error' });
});
afterAll(() => server.stop());

test('listen, killed 50 times during 500 events, forwards each of them, in order', async () => {
  const figures = await listenWithKills(server, { events: 500, kills: 50 });
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  expect(figures.repeated).toBeLessThanOrEqual(50);
});
