import { expect, test } from 'vitest';
import { timeLimitMs } from '../../../test/time-limit.ts';
import { runWebhookChaos } from '../../../test/webhook-chaos.ts';

/** `npm run bench -- webhook-chaos` runs the same at full size. */
test('workers are killed, Redis is flushed and PostgreSQL crashes: every event arrives, and none is sent a fourth time', async () => {
  const report = await runWebhookChaos({ events: 400, accounts: 4, kills: 4, killEveryMs: 2_000, crashAfterKills: 2 });
  expect(report).toMatchObject({ events: 400, missing: 0, notDropped: 0, pending: 0, faults: [] });
  expect(report.mostRequests).toBeLessThanOrEqual(3);
  expect(report.settledAfterMs).toBeLessThan(timeLimitMs(60_000));
});
