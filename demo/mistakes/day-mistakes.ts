import type { Mistake } from '../../server/test/mistakes.ts';

export interface DayMistake extends Mistake {
  /** The violation that it must lead to; any other one proves nothing. */
  caughtBy: RegExp;
}

/** Mistakes that a day with faults must detect, most of them only because of the faults. */
export const DAY_MISTAKES: DayMistake[] = [
  {
    name: 'commits that a crash of PostgreSQL loses',
    file: 'server/src/database/migrate.ts',
    replace: [
      'if (rowCount === 0) await client.query(',
      "for (const change of ['synchronous_commit = off', 'wal_writer_delay = 10000']) await client.query('alter system set ' + change);\n    await client.query('select pg_reload_conf()');\n    if (rowCount === 0) await client.query(",
    ],
    caughtBy: /was ordered and .+ cannot read it|succeeded and is missing/,
  },
  {
    name: 'a creation that is repeated after a lost answer ships twice',
    file: 'server/src/features/shipments/create-shipment.ts',
    replace: [
      'checkAccount(account, context.now) ?? prepareShipment(request, provenance, account, context)',
      'checkAccount(account, context.now) ?? prepareShipment(request, { ...provenance, idempotencyKey: null }, account, context)',
    ],
    caughtBy: /exists and was never ordered/,
  },
  {
    name: 'the work that follows a change is lost with its worker',
    file: 'server/src/jobs/job-runner.ts',
    replace: [
      'await Promise.all(batches.map((batch) => runBatch(name, batch, run)));',
      'setTimeout(() => void Promise.all(batches.map((batch) => runBatch(name, batch, run))).catch(() => {}), 1_000);',
    ],
    caughtBy: /not finished in time|came 0 times/,
  },
  {
    name: 'deliveries that a killed worker had taken are never sent',
    file: 'server/src/features/webhooks/delivery-queue.ts',
    replace: ['where t.attempts > 0 or t.url is null', 'where t.url is null'],
    caughtBy: /webhooks of .+ are still to be sent|shipping\.\w+ at .+ came 0 times/,
  },
  {
    name: 'an SMS whose answer was lost counts as not sent',
    file: 'server/src/adapters/sms/twilio.ts',
    replace: ["kind: NOT_SENT.has(code) ? 'postponed' : 'unknown'", "kind: 'postponed'"],
    caughtBy: /SMS to the \w+ came [2-9] times/,
  },
  {
    name: 'a cancellation without its refund',
    file: 'server/src/features/shipments/change-status.ts',
    replace: ["if (step.to === 'cancelled') await refund", "if (step.to === 'programmed') await refund"],
    caughtBy: /a shipment is refunded, in full, exactly when it is cancelled/,
  },
  {
    name: 'totals that do not follow a change',
    file: 'server/src/features/shipments/write-status.ts',
    replace: ['(from === to ? {} : { [from]', "(to === 'delivered' ? {} : { [from]"],
    caughtBy: /the statistics of .+ its list does not/,
  },
  {
    name: 'an event for a change over the socket',
    file: 'server/src/features/shipments/lifecycle.ts',
    replace: ["channel === 'realtime' && trigger !== 'cancel'", "channel === 'realtime' && trigger === 'depart'"],
    caughtBy: /shipping\.\w+ at .+ came 1 times, not 0/,
  },
  {
    name: 'any code of six figures is accepted',
    file: 'server/src/features/runs/move-run.ts',
    replace: [
      'return one.length === other.length && timingSafeEqual(one, other);',
      'return one.length === other.length;',
    ],
    caughtBy: /a wrong code answered undefined/,
  },
  {
    name: 'a parcel that was given back waits for nobody',
    file: 'server/src/features/shipments/lifecycle.ts',
    replace: [
      "abandon: { from: ['assigned'], to: 'created', event: null }",
      "abandon: { from: ['assigned'], to: 'programmed', event: null }",
    ],
    caughtBy: /nobody did: programmed/,
  },
];
