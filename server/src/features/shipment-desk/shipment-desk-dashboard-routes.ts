import { ROLE_ALLOWS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { accountTime } from '../../calendar/twin-clock.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { noteAddressUse } from '../address-book/index.ts';
import type { Arrivals } from '../arrival/index.ts';
import { actorOf, recordAct } from '../members/index.ts';
import { type CreationContext, cancelShipment, createShipment, projectionOf } from '../shipments/index.ts';
import { exportNameOf, exportShipments } from './export-shipments-csv.ts';
import { listShipments } from './list-shipment-lines.ts';
import { quoteShipment } from './quote-shipment.ts';
import { readDetail } from './read-detail.ts';
import { readStatuses } from './read-statuses.ts';
import { deleteSavedView, listSavedViews, saveView } from './saved-views.ts';
import type { TrackingLinks } from './share-url.ts';

export interface ShipmentDeskOptions {
  db: Database;
  pools: { prepared: pg.Pool; exports: pg.Pool };
  jobs: JobSender;
  creation: CreationContext;
  config: TrackingLinks & Pick<Config, 'timeZone' | 'operatorPhone'>;
  arrivals: Arrivals;
  now: () => Date;
}

/** The dashboard's shipment routes. They create, cancel and read with the use cases of the public API. */
export function serveShipmentDesk(app: FastifyInstance, options: ShipmentDeskOptions): void {
  const { db, pools, jobs, creation, config, arrivals, now } = options;
  const { timeZone } = config;
  const { reader, accounts } = creation;

  bindDashboard(app, 'listShipments', async ({ member, query, answer }) =>
    answer(200, await listShipments(pools.prepared, member.accountId, query, { timeZone, arrivals, now: now() })),
  );

  bindDashboard(app, 'readStatuses', async ({ member, query, answer }) => {
    const statuses = await readStatuses(pools.prepared, member.accountId, query.ids, arrivals, now());
    return answer(200, { success: true, statuses });
  });

  bindDashboard(app, 'exportShipments', async ({ member, query, answerWith }) => {
    const { language = 'fr', ...filters } = query;
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${exportNameOf(language, timeZone, now())}"`,
    };
    await recordAct(db, member.accountId, actorOf(member), { act: 'shipments-exported' }, now());
    const file = await exportShipments(pools.exports, member.accountId, filters, language, { timeZone, now: now() });
    return answerWith(200, headers, file);
  });

  bindDashboard(app, 'listSavedViews', async ({ member, answer }) =>
    answer(200, { success: true, views: await listSavedViews(db, member) }),
  );

  bindDashboard(app, 'saveView', async ({ member, body, answer }) =>
    answer(201, { success: true, view: await saveView(db, member, body, now()) }),
  );

  bindDashboard(app, 'deleteSavedView', async ({ member, params, answer }) => {
    await deleteSavedView(db, member, params.id);
    return answer(200, { success: true });
  });

  bindDashboard(app, 'readShipment', async ({ member, params, answerJson }) => {
    const showsRecipientNote = ROLE_ALLOWS[member.role].includes('ship');
    const sources = { db, reader, accounts, config, arrivals, showsRecipientNote, now: now() };
    return answerJson(200, await readDetail(sources, member.accountId, params.id));
  });

  bindDashboard(app, 'quoteShipment', async ({ member, body, answer }) => {
    const account = await accounts.currentSettingsOf(member.accountId);
    const at = accountTime(account.clock, now());
    return answer(200, { success: true, quote: quoteShipment(body, account, timeZone, at) });
  });

  bindDashboard(app, 'createShipment', async ({ member, body, headers, answer }) => {
    const idempotencyKey = headers['x-idempotency-key'].trim();
    const { idempotent, shipment } = await createShipment(creation, member.accountId, body, {
      source: 'dashboard',
      idempotencyKey,
    });
    await noteAddressUse(db, member.accountId, body.deliveryAddress, now());
    return answer(idempotent ? 200 : 201, { success: true, replayed: idempotent, shipment });
  });

  bindDashboard(app, 'cancelShipment', async ({ member, params, body, answer }) => {
    const { accountId, name } = member;
    const cancellation = { reason: body.reason, by: name, now: now(), timeZone };
    await cancelShipment(db, jobs, accountId, params.id, cancellation);
    return answer(200, { success: true, shipment: projectionOf(await reader.documentById(accountId, params.id)) });
  });
}
