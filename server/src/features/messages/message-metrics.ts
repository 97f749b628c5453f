import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../../database/database.ts';

/** Counted in the database when asked, so that every process tells the same, the worker's deeds included. */
export function measureMessages(registry: Registry, db: Database): void {
  new Gauge({
    name: 'navette_messages_last_hour',
    help: 'Messages written in the last hour, by kind and what became of them',
    labelNames: ['kind', 'status'],
    registers: [registry],
    async collect() {
      const rows = await ask(
        db
          .selectFrom('messages')
          .select(['kind', 'status', (count) => count.fn.countAll<number>().as('messages')])
          .where('erased_at', 'is', null)
          .where('created_at', '>', sql<Date>`now() - interval '1 hour'`)
          .groupBy(['kind', 'status'])
          .execute(),
      );
      this.reset();
      for (const { kind, status, messages } of rows) this.set({ kind, status }, messages);
    },
  });
  new Gauge({
    name: 'navette_oldest_unsent_message_seconds',
    help: 'Age of the oldest message that is still to be sent; 0 when there is none',
    registers: [registry],
    async collect() {
      const rows = await ask(
        db
          .selectFrom('messages')
          .select(sql<number>`extract(epoch from now() - min(created_at))::float8`.as('seconds'))
          .where('status', 'in', ['pending', 'sending'])
          .execute(),
      );
      this.set(rows[0]?.seconds ?? 0);
    },
  });
}

/** A database that is away must not take the other metrics with it. */
async function ask<Row>(query: Promise<Row[]>): Promise<Row[]> {
  return query.catch(() => []);
}
