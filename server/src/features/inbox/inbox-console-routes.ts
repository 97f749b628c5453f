import type { FastifyInstance } from 'fastify';
import { bindConsole } from '../../http/bind-console.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { changeAnyEntry } from './change-entry.ts';
import { listAnyInbox } from './list-inbox.ts';
import type { InboxContext } from './read-facts.ts';

export interface InboxOptions extends InboxContext {
  now: () => Date;
}

export function serveInbox(app: FastifyInstance, options: InboxOptions): void {
  const { now } = options;

  bindConsole(app, 'listInbox', async ({ staff, query, answer }) => {
    const at = now();
    const { entries, counts } = await listAnyInbox(options, staff.staffId, query, at);
    return answer(200, { success: true, at: at.toISOString(), entries, counts });
  });

  bindConsole(app, 'changeInboxEntry', async ({ staff, params, body, answer }) => {
    const entry = (await changeAnyEntry(options, staff, params.key, body, now())) ?? refuseAsNotFound();
    return answer(200, { success: true, entry });
  });
}
