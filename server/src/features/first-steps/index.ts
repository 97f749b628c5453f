import { BASE_PATH } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import type { AccountDirectory } from '../accounts/index.ts';
import { readFirstSteps } from './read-first-steps.ts';

export { readFirstSteps } from './read-first-steps.ts';

export interface FirstStepsOptions {
  db: Database;
  accounts: AccountDirectory;
  publicUrl: string;
}

export function serveFirstSteps(app: FastifyInstance, { db, accounts, publicUrl }: FirstStepsOptions): void {
  bindDashboard(app, 'readStart', async ({ member, answer }) => {
    const { slots } = await accounts.settingsOf(member.accountId);
    return answer(200, {
      success: true,
      clientId: member.clientId,
      baseUrl: `${publicUrl}${BASE_PATH}`,
      slot: slots[0]?.label ?? null,
      steps: await readFirstSteps(db, member.accountId),
    });
  });
}
