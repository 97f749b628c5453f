import type { IncidentKind } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import type { MemberNotice } from '../../jobs/definitions.ts';
import { findActiveKeys } from './active-keys.ts';
import type { NoticeFacts } from './notice-texts.ts';

/** Read just before sending, since the job contains ids only. Null if the cause was resolved meanwhile. */
export async function readNoticeFacts(
  db: Database,
  { accountId, accountName }: { accountId: string; accountName: string },
  notice: MemberNotice,
  about: string | undefined,
  now: Date,
): Promise<NoticeFacts | null> {
  const facts: NoticeFacts = { accountName, by: null, keys: [], webhookHost: null, incident: null, recurringId: null };
  if (notice === 'webhook-paused' || notice === 'webhook-failing') {
    const webhook = about && (await findTroubledWebhook(db, accountId, about, TROUBLE[notice]));
    return webhook ? { ...facts, webhookHost: new URL(webhook.url).host } : null;
  }
  if (notice === 'incident') {
    const incident = about && (await findOpenIncident(db, accountId, about));
    return incident ? { ...facts, incident: { ...incident, kind: incident.kind as IncidentKind } } : null;
  }
  if (notice === 'recurring-refused') {
    const recurring = about && (await findRefusedRecurring(db, accountId, about));
    return recurring ? { ...facts, recurringId: recurring.id } : null;
  }
  const column = { 'key-created': 'id', 'keys-left': 'created_by_id' } as const;
  if (notice !== 'key-created' && notice !== 'keys-left') return facts;
  if (!about) return null;
  const keys = await findActiveKeys(db, accountId, now).where(column[notice], '=', about).execute();
  return keys.length > 0 ? { ...facts, by: keys[0]?.createdBy ?? null, keys } : null;
}

const TROUBLE = { 'webhook-paused': 'pause_reason', 'webhook-failing': 'failing_since' } as const;

const findTroubledWebhook = (
  db: Database,
  accountId: string,
  webhookId: string,
  mark: (typeof TROUBLE)[keyof typeof TROUBLE],
) =>
  db
    .selectFrom('webhooks')
    .select('url')
    .where('account_id', '=', accountId)
    .where('id', '=', webhookId)
    .where(mark, 'is not', null)
    .executeTakeFirst();

const findOpenIncident = (db: Database, accountId: string, incidentId: string) =>
  db
    .selectFrom('incidents as i')
    .innerJoin('shipments as s', (join) =>
      join.onRef('s.account_id', '=', 'i.account_id').onRef('s.id', '=', 'i.shipment_id'),
    )
    .select(['i.kind', 'i.shipment_id as shipmentId', 's.reference_number as referenceNumber'])
    .where('i.account_id', '=', accountId)
    .where('i.id', '=', incidentId)
    .where('i.resolved_at', 'is', null)
    .executeTakeFirst();

const findRefusedRecurring = (db: Database, accountId: string, id: string) =>
  db
    .selectFrom('recurring_schedules')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('refused_since', 'is not', null)
    .executeTakeFirst();
