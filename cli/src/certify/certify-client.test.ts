import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../server/test/test-server.ts';
import { createTwin } from '../../../server/test/twin.ts';
import { CLIENT_MISTAKES } from '../../test/order-client.ts';
import { environmentOf, runCli } from '../../test/run-cli.ts';
import { CLIENT_CHECKS } from './client-checks.ts';
import type { Report } from './report.ts';

const CLIENT = `'${process.execPath}' --no-warnings cli/test/order-client.ts`;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** Each with a test account of its own. */
async function certify(how: string): Promise<Report & { code: number | null }> {
  const twin = await createTwin(server, await server.createAccount({ paymentMode: 'deferred' }));
  const { code, stdout } = await runCli(
    ['certify', 'client', `${CLIENT} ${how}`, '--json'],
    environmentOf(server, twin),
  );
  return { code, ...(JSON.parse(stdout) as Report) };
}

const failedIn = ({ results }: Report) => results.filter(({ outcome }) => outcome === 'failed');

test.concurrent.each(['sdk', 'by-hand'])('a correct client passes: %s', async (how) => {
  const report = await certify(how);
  expect(failedIn(report)).toEqual([]);
  expect(report).toMatchObject({ code: 0, isCertified: true, counts: { passed: CLIENT_CHECKS.length } });
});

test.concurrent.each(Object.entries(CLIENT_MISTAKES))('a client with the mistake "%s" fails', async (how, fails) => {
  const report = await certify(how);
  const failed = failedIn(report).map(({ id }) => id);
  expect(failed, JSON.stringify(report.results)).toEqual(expect.arrayContaining([...fails]));
  expect(report.code).toBe(1);
});

test('a live key is refused before the command runs', async () => {
  const live = await server.createAccount();
  const { code, stderr } = await runCli(['certify', 'client', 'echo was run'], environmentOf(server, live));
  expect([code, stderr]).toEqual([2, expect.stringContaining('navette_test_')]);
});
