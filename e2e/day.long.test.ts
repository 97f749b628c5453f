import { describe, expect, test } from 'vitest';
import { FATES } from '../demo/day/plan.ts';
import { runDay } from '../demo/day/run-day.ts';

/** The same code as `npm run demo:day -- --kill`, with a small day. */
const SMALL = {
  ...{ shipments: 40, drivers: 8, seed: 1, minutes: null, mostSecondsToRush: 15 },
  ...{ faults: 'kills' as const, faultEveryMs: 800, mostFaults: 4 },
};

describe('a day of deliveries', () => {
  test('ends clean although workers and api processes are killed', { timeout: 300_000 }, async () => {
    const report = await runDay(SMALL, { log: () => {}, progress: () => {} });
    expect(report.violations).toEqual([]);
    expect(report.faults.size).toBeGreaterThanOrEqual(2); // a worker and an api process, however fast the day went by
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

  test('ends clean although everything fails once', { timeout: 600_000 }, async () => {
    const faults = { faults: 'all' as const, faultEveryMs: 500, mostFaults: 15, minutes: 1 };
    const report = await runDay({ ...SMALL, ...faults, shipments: 80 }, { log: () => {}, progress: () => {} });
    expect(report.violations).toEqual([]);
    expect(report.trackedShipments).toHaveLength(80);
    expect(report.faults.size).toBeGreaterThanOrEqual(10);
  });
});
