import type { FastifyInstance } from 'fastify';
import { accountTime } from '../../calendar/twin-clock.ts';
import type { Database } from '../../database/database.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import type { AccountDirectory } from '../accounts/index.ts';
import { presentAccountPage } from './account-page.ts';
import { readOverview } from './read-overview.ts';

export { readOverview };

export interface OverviewOptions {
  db: Database;
  accounts: AccountDirectory;
  timeZone: string;
  now: () => Date;
}

const DEFAULT_DAYS = 30;

/** The dashboard's account page (settings and reasons that block creations) and the figures of the last days. */
export function serveOverview(app: FastifyInstance, { db, accounts, timeZone, now }: OverviewOptions): void {
  bindDashboard(app, 'readAccount', async ({ member, answer }) => {
    const account = await accounts.currentSettingsOf(member.accountId);
    return answer(200, { success: true, ...presentAccountPage(account, timeZone, accountTime(account.clock, now())) });
  });

  bindDashboard(app, 'readOverview', async ({ member, query, answer }) => {
    const account = await accounts.currentSettingsOf(member.accountId);
    const at = accountTime(account.clock, now());
    const overview = await readOverview(db, account, query.days ?? DEFAULT_DAYS, timeZone, at);
    return answer(200, { success: true, overview });
  });
}
