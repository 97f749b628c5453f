import { STAFF_ROLE_ALLOWS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { bindConsole } from '../../http/bind-console.ts';
import { searchEverything } from './search-everything.ts';

export interface SearchOptions {
  db: Database;
  redis: Redis;
  config: Pick<Config, 'redisPrefix'>;
  now: () => Date;
}

/** The console's search, across accounts. */
export function serveSearch(app: FastifyInstance, { db, redis, config: { redisPrefix }, now }: SearchOptions): void {
  bindConsole(app, 'searchConsole', async ({ staff, body, answer }) => {
    const context = { db, redis, redisPrefix, now: now() };
    const allowed = STAFF_ROLE_ALLOWS[staff.role];
    const results = await searchEverything(context, body.text, (need) => allowed.includes(need));
    return answer(200, { success: true, results });
  });
}
