import { describe, expect, test } from 'vitest';
import { FATES } from '../demo/day/plan.ts';
import { runDay } from '../demo/day/run-day.ts';

/** The same code as `npm run demo:day -- --kill`, with a small day. */
const SMALL = { shipments: 40, drivers: 8, seed: 1, kill: true, killEveryMs: 800, mostKills: 4, mostSecondsToRush: 15 };

describe('a day of deliveries', () => {
  test('ends clean although workers and api processes are killed', { timeout: 300_000 }, async () => {
    const report = await runDay(SMALL, { log: () => {}, progress: () => {} });
    expect(report.violations).toEqual([]);
    expect(report.kills).toBeGreaterThanOrEqual(2); // a worker and an api process, however fast the day went by
    expect(report.trackedShipments).toHaveLength(SMALL.shipments);
    expect(new Set(report.trackedShipments.map(({ tracked }) => tracked.plan.fate))).toEqual(
      new Set(Object.keys(FATES)),
    );
    expect(new Set(report.drivers.map(({ phone }) => phone.channel))).toEqual(new Set(['http', 'realtime']));
  });
});
