import type { MessageKind } from '@navette/contract';
import { sql } from 'kysely';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Database } from '../../database/database.ts';
import type { SmsRefusal } from './phone-number.ts';

export interface MessageMetrics {
  attempted(kind: MessageKind, outcome: string): void;
  /** An SMS that is not sent at all. */
  refused(reason: SmsRefusal): void;
}

/** Counted by the worker as it happens: a count over the table would cost more with each message of the last hour. */
export function createMessageMetrics(registry: Registry): MessageMetrics {
  const attempts = new Counter({
    name: 'navette_message_attempts_total',
    help: 'Attempts to send a message, by kind and outcome: accepted, postponed, refused or unknown',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'navette_sms_refused_total',
    help: 'SMS that were not sent, by reason: country, type of number, daily budget of the account',
    labelNames: ['reason'],
    registers: [registry],
  });
  return {
    attempted: (kind, outcome) => attempts.inc({ kind, outcome }),
    refused: (reason) => refusals.inc({ reason }),
  };
}

/** Read from the database, so that it rises also while no worker runs. */
export function measureUnsentMessages(registry: Registry, db: Database): void {
  new Gauge({
    name: 'navette_oldest_unsent_message_seconds',
    help: 'Age of the oldest unsent message; 0 when there is none',
    registers: [registry],
    async collect() {
      const oldest = await db
        .selectFrom('messages')
        .select(
          sql<number | null>`extract(epoch from now() - min(coalesce(resent_at, created_at)))::float8`.as('seconds'),
        )
        .where('status', 'in', [sql.lit('pending'), sql.lit('sending')]) // uses the index messages_unsent
        .executeTakeFirst()
        .catch(() => undefined); // the database is unreachable: an old figure is better than a false zero
      if (oldest) this.set(oldest.seconds ?? 0);
    },
  });
}
