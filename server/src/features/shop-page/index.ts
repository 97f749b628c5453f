import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import { authorizeMember, recordAct } from '../members/index.ts';
import { readShopPage, saveShopPage } from './shop-page.ts';

interface ShopPageOptions {
  db: Database;
  now: () => Date;
}

/** The merchant's contact and logo on the recipient's page. */
export function serveShopPage(app: FastifyInstance, { db, now }: ShopPageOptions): void {
  bindDashboard(app, 'readShopPage', async ({ member, answer }) =>
    answer(200, { success: true, shop: await readShopPage(db, member.accountId) }),
  );

  bindDashboard(app, 'changeShopPage', async ({ member, body, answer }) => {
    const at = now();
    const { accountId } = member;
    const authorize = authorizeMember(member, 'ship', at);
    await db.transaction().execute(async (tx) => {
      const actor = await authorize(tx);
      await saveShopPage(tx, accountId, body, at);
      await recordAct(tx, accountId, actor, { act: 'shop-page-changed' }, at);
    });
    return answer(200, { success: true, shop: await readShopPage(db, accountId) });
  });
}
