import { EVENT_FEED, FEED_ENDPOINTS } from '@navette/contract';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { bind } from '../../http/bind.ts';
import { refuseWithMessage } from '../../refusals/refusal.ts';
import { authorizeKey } from '../api-keys/index.ts';
import { createFeedWatcher } from './feed-watcher.ts';
import { findPositionBefore, readFeed, readFeedEnd } from './read-feed.ts';

export interface EventFeedOptions {
  db: Database;
  log: FastifyBaseLogger;
  now: () => Date;
}

/** Events of an account to pull, in the order of their commits: docs/decisions/event-feed.md. */
export function serveEventFeed(app: FastifyInstance, { db, log, now }: EventFeedOptions): void {
  const watcher = createFeedWatcher(db, log);
  app.addHook('preClose', async () => watcher.stop());

  bind(app, FEED_ENDPOINTS.readEvents, async ({ caller, query, request, answer }) => {
    const { accountId } = caller;
    const { limit = EVENT_FEED.defaultEvents, wait = 0 } = query;
    const end = await readFeedEnd(db, accountId);
    const after = await startOf(accountId, query, end);
    let page = await readFeed(db, accountId, after, limit);
    if (page.end === after && wait > 0 && (query.after ?? query.since)) {
      const startedAt = performance.now();
      await watcher.wait(accountId, after, wait * 1_000, request.raw.socket);
      request.waitedMs = performance.now() - startedAt;
      // The key may have been revoked or restricted meanwhile.
      if ((await readFeedEnd(db, accountId)) > after)
        await db.transaction().execute(authorizeKey(caller, request, now()));
      page = await readFeed(db, accountId, after, limit);
    }
    const { events, hasMore } = page;
    return answer(200, { success: true, events, cursor: String(page.end), hasMore });
  });

  async function startOf(accountId: string, { after, since }: { after?: string; since?: string }, end: number) {
    if (after === undefined) return since === undefined ? end : findPositionBefore(db, accountId, new Date(since), end);
    if (Number(after) > end) refuseWithMessage(400, 'Curseur inconnu : ce n’est pas un curseur de ce compte.');
    return Number(after);
  }
}
