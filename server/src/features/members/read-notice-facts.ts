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
  const nothing = {
    by: null,
    keys: [],
    daysLeft: null,
    webhookHost: null,
    incident: null,
    recurringId: null,
    subject: null,
  };
  const facts: NoticeFacts = { accountName, ...nothing };
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
  if (notice === 'automatic-top-up-off') return (await isTopUpOff(db, accountId)) ? facts : null;
  if (notice === 'import-finished') {
    const done = about && (await findFinishedImport(db, accountId, about));
    return done ? { ...facts, subject: done.name, importId: about } : null;
  }
  if (notice === 'invoice-issued') {
    const document = about && (await findDocument(db, accountId, about));
    return document ? { ...facts, subject: about, isCreditNote: document.kind === 'credit_note' } : null;
  }
  if (notice === 'balance-low' || notice === 'balance-empty')
    return (await hasLevel(db, accountId, notice.slice('balance-'.length))) ? facts : null;
  if (!isOfKeys(notice)) return facts;
  if (!about) return null;
  const keys = await findActiveKeys(db, accountId, now).where(KEY_COLUMNS[notice], '=', about).execute();
  const [key] = keys;
  if (!key) return null;
  const daysLeft = key.expiresAt && Math.ceil((key.expiresAt.getTime() - now.getTime()) / DAY_MS);
  return { ...facts, by: key.createdBy, keys, daysLeft };
}

const KEY_COLUMNS = {
  'key-created': 'id',
  'key-widened': 'id',
  'key-expiring': 'id',
  'keys-left': 'created_by_id',
} as const;
const isOfKeys = (notice: MemberNotice): notice is keyof typeof KEY_COLUMNS => notice in KEY_COLUMNS;

const DAY_MS = 86_400_000;
const TROUBLE = { 'webhook-paused': 'pause_reason', 'webhook-failing': 'failing_since' } as const;

const findDocument = (db: Database, accountId: string, number: string) =>
  db
    .selectFrom('invoices')
    .select('kind')
    .where('account_id', '=', accountId)
    .where('number', '=', number)
    .executeTakeFirst();

async function hasLevel(db: Database, accountId: string, level: string): Promise<boolean> {
  const found = await db
    .selectFrom('account_counters')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where((eb) => eb(eb.fn('balance_level', ['balance_cents']), '=', level))
    .executeTakeFirst();
  return found !== undefined;
}

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

async function isTopUpOff(db: Database, accountId: string): Promise<boolean> {
  const found = await db
    .selectFrom('automatic_top_ups')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('state', '=', 'off')
    .executeTakeFirst();
  return found !== undefined;
}

const findFinishedImport = (db: Database, accountId: string, id: string) =>
  db
    .selectFrom('imports')
    .select('filename as name')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();

const findRefusedRecurring = (db: Database, accountId: string, id: string) =>
  db
    .selectFrom('recurring_schedules')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('refused_since', 'is not', null)
    .executeTakeFirst();
