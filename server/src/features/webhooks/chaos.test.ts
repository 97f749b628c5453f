import { expect, test } from 'vitest';
import { runWebhookChaos } from '../../../test/webhook-chaos.ts';

/** A small run of what `npm run bench -- webhook-chaos` does at full size. */
test('workers killed, Redis emptied and PostgreSQL crashed: every event arrives, and none is sent a fourth time', {
  timeout: 180_000,
}, async () => {
  const report = await runWebhookChaos({ events: 400, accounts: 4, kills: 4, killEveryMs: 2_000, crashAfterKills: 2 });
  expect(report).toMatchObject({ events: 400, missing: 0, notDropped: 0, pending: 0, faults: [] });
  expect(report.mostRequests).toBeLessThanOrEqual(3);
  expect(report.settledAfterMs).toBeLessThan(60_000);
});
