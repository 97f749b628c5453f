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
    // All that people did came from the inbox, which is empty at the end; what is left in it is a violation.
    const handled = report.day.operator.handled();
    for (const kind of ['no_driver', 'no_place', 'incident_open', 'code_locked'])
      expect(handled[kind], kind).toBeGreaterThan(0);
    expect(new Set(report.drivers.map(({ phone }) => phone.channel))).toEqual(new Set(['http', 'realtime']));
  });
});
