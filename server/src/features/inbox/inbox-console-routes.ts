import type { FastifyInstance } from 'fastify';
import { shareResult } from '../../concurrency/share-result.ts';
import { bindConsole } from '../../http/bind-console.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { changeAnyEntry } from './change-entry.ts';
import { listAnyInbox, readAnyInbox } from './list-inbox.ts';
import type { InboxContext } from './read-facts.ts';

export interface InboxOptions extends InboxContext {
  now: () => Date;
}

export function serveInbox(app: FastifyInstance, options: InboxOptions): void {
  const { now, config } = options;
  // Any number of consoles that ask every few seconds cost one reading per process and interval.
  const shared = shareResult(config.inbox.sharedMs, () => readAnyInbox(options, now()));
  app.addHook('onSend', ({ method, routeOptions }, _reply, payload, done) => {
    if (method !== 'GET' && routeOptions.config.consoleEndpoint) shared.forget();
    done(null, payload);
  });

  bindConsole(app, 'listInbox', async ({ staff, query: { fresh, ...filter }, answer }) => {
    if (fresh) shared.forget();
    const snapshot = await shared();
    const list = await listAnyInbox(options, snapshot, staff.staffId, filter);
    return answer(200, { success: true, at: snapshot.at.toISOString(), ...list });
  });

  bindConsole(app, 'changeInboxEntry', async ({ staff, params, body, answer }) => {
    const entry = (await changeAnyEntry(options, staff, params.key, body, now())) ?? refuseAsNotFound();
    return answer(200, { success: true, entry });
  });
}
