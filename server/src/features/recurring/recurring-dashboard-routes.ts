import type { FastifyInstance } from 'fastify';
import { accountTime } from '../../calendar/twin-clock.ts';
import type { Database } from '../../database/database.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import type { AccountDirectory } from '../accounts/index.ts';
import { changeRecurring, createRecurring, setOccurrence, setRecurringState } from './change-recurring.ts';
import { listRecurring, readRecurring } from './read-recurring.ts';
import type { ScheduleContext } from './schedules.ts';

export interface RecurringOptions {
  db: Database;
  accounts: AccountDirectory;
  timeZone: string;
  now: () => Date;
}

/** The dashboard's page of recurring shipments. The job create-recurring creates the shipments. */
export function serveRecurring(app: FastifyInstance, { db, accounts, timeZone, now }: RecurringOptions): void {
  async function contextOf({ accountId }: { accountId: string }): Promise<ScheduleContext> {
    const account = await accounts.currentSettingsOf(accountId);
    return { db, account, timeZone, now: accountTime(account.clock, now()) };
  }
  const read = async (context: ScheduleContext, id: string) =>
    ({ success: true, recurring: await readRecurring(context, id) }) as const;

  bindDashboard(app, 'listRecurring', async ({ member, answer }) =>
    answer(200, { success: true, recurring: await listRecurring(await contextOf(member)) }),
  );

  bindDashboard(app, 'createRecurring', async ({ member, body, headers, answer }) => {
    const context = await contextOf(member);
    const creationKey = headers['x-idempotency-key'].trim();
    const { id, replayed } = await createRecurring(context, body, { creationKey, by: member.name });
    return answer(replayed ? 200 : 201, await read(context, id));
  });

  bindDashboard(app, 'readRecurring', async ({ member, params, answer }) =>
    answer(200, await read(await contextOf(member), params.id)),
  );

  bindDashboard(app, 'changeRecurring', async ({ member, params, body, answer }) => {
    const context = await contextOf(member);
    await changeRecurring(context, params.id, body);
    return answer(200, await read(context, params.id));
  });

  bindDashboard(app, 'setRecurringState', async ({ member, params, body, answer }) => {
    const context = await contextOf(member);
    await setRecurringState(context, params.id, body.state);
    return answer(200, await read(context, params.id));
  });

  bindDashboard(app, 'setOccurrence', async ({ member, params, body, answer }) => {
    const context = await contextOf(member);
    await setOccurrence(context, params.id, params.day, body.skipped);
    return answer(200, await read(context, params.id));
  });
}
