import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { createSchedules, expectEveryOccurrenceOnce, FROM, runUntilKilled } from '../../../test/two-years.ts';

const KILLS = 25;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('two years over four clock changes, the job killed with -9 again and again: no occurrence is missing, none happens twice', async () => {
  const shop = await server.createAccount({ paymentMode: 'deferred' });
  const schedules = await createSchedules(server, shop.id);
  let at = FROM.getTime();
  let kills = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    // At a different point of its work each time.
    const run = await runUntilKilled(server, at, { afterSteps: 1 + (kill % 11), afterMs: 3 * (kill % 5) });
    at = run.at;
    if (run.isKilled) kills++;
  }
  await Promise.all([runUntilKilled(server, at, null), runUntilKilled(server, at, null)]); // and two at the same moment to the end
  expect(kills).toBe(KILLS);
  await expectEveryOccurrenceOnce(server, shop.id, schedules);
  expect(await brokenInvariants(server)).toEqual([]);
});
