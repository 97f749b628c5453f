import type { Mistake } from '../../server/test/mistakes.ts';

/** Mistakes that a day with faults must detect, most of them only because of the faults. */
export const DAY_MISTAKES: Mistake[] = [
  {
    name: 'commits that a crash of PostgreSQL loses',
    file: 'server/src/database/migrate.ts',
    replace: [
      'if (rowCount === 0) await client.query(',
      "for (const change of ['synchronous_commit = off', 'wal_writer_delay = 10000']) await client.query('alter system set ' + change);\n    await client.query('select pg_reload_conf()');\n    if (rowCount === 0) await client.query(",
    ],
  },
  {
    name: 'a creation that is repeated after a lost answer ships twice',
    file: 'server/src/features/shipments/create-shipment.ts',
    replace: [
      'checkAccount(account, context.now) ?? prepareShipment(request, provenance, account, context)',
      'checkAccount(account, context.now) ?? prepareShipment(request, { ...provenance, idempotencyKey: null }, account, context)',
    ],
  },
  {
    name: 'the work that follows a change is lost with its worker',
    file: 'server/src/jobs/definitions.ts',
    replace: [
      'queue: { ...persistent, notify: true, deleteAfterSeconds: 3_600 },\n};\n\n/** Runs at',
      'queue: { ...persistent, retryLimit: 0, notify: true, deleteAfterSeconds: 3_600 },\n};\n\n/** Runs at',
    ],
  },
  {
    name: 'deliveries that a killed worker had taken are never sent',
    file: 'server/src/features/webhooks/delivery-queue.ts',
    replace: ['where t.attempts > 0 or t.url is null', 'where t.url is null'],
  },
  {
    name: 'a message that was sent stays pending',
    file: 'server/src/features/messages/record-attempt.ts',
    replace: ['status = o.status, failure', "status = 'pending', failure"],
  },
  {
    name: 'a cancellation without its refund',
    file: 'server/src/features/shipments/change-status.ts',
    replace: ["if (step.to === 'cancelled') await refund", "if (step.to === 'programmed') await refund"],
  },
  {
    name: 'totals that do not follow a change',
    file: 'server/src/features/shipments/write-status.ts',
    replace: ['(from === to ? {} : { [from]', "(to === 'delivered' ? {} : { [from]"],
  },
  {
    name: 'an event for a change over the socket',
    file: 'server/src/features/shipments/lifecycle.ts',
    replace: ["channel === 'realtime' && trigger !== 'cancel'", "channel === 'realtime' && trigger === 'depart'"],
  },
  {
    name: 'any code of six figures is accepted',
    file: 'server/src/features/runs/move-run.ts',
    replace: [
      'return one.length === other.length && timingSafeEqual(one, other);',
      'return one.length === other.length;',
    ],
  },
  {
    name: 'a parcel that was given back waits for nobody',
    file: 'server/src/features/shipments/lifecycle.ts',
    replace: [
      "abandon: { from: ['assigned'], to: 'created', event: null }",
      "abandon: { from: ['assigned'], to: 'programmed', event: null }",
    ],
  },
];
