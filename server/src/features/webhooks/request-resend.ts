import { randomUUIDv7 } from 'node:crypto';
import { RESENDABLE_DAYS, type ResendRequest, type WebhookResend } from '@navette/contract';
import type { Selectable } from 'kysely';
import pg from 'pg';
import type { Database, Tx } from '../../database/database.ts';
import type { WebhookResends } from '../../database/tables.ts';
import { firstIdAt, instantOf, isUuid } from '../../database/uuid.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { resendEventsJob } from '../../jobs/definitions.ts';
import { refuseAsNotFound, refuseWithDashboardSlug } from '../../refusals/dashboard-refusal.ts';
import { type Authorize, authorizeOperator, recordAct } from '../members/index.ts';
import { type AuthorizeOperator, recordOperatorAct } from '../staff/index.ts';
import { hostOf } from './manage-webhooks.ts';
import type { WebhookRef } from './webhook-secret.ts';

const UNIQUE_VIOLATION = '23505';
const SHOWN = 10;

export interface ResendContext {
  db: Database;
  jobs: JobSender;
}

/** Sends one event, or the events of a period, to a webhook again. A job carries it out. */
export async function requestResend(
  { db, jobs }: ResendContext,
  accountId: string,
  webhookId: string,
  request: ResendRequest,
  authorize: Authorize,
  now: Date,
): Promise<WebhookResend> {
  if (!isUuid(webhookId)) return refuseAsNotFound();
  const ref = { accountId, webhookId };
  return db
    .transaction()
    .execute(async (tx) => {
      const actor = await authorize(tx);
      const webhook = (await findWebhook(tx, ref)) ?? refuseAsNotFound();
      if (!webhook.is_active) refuseWithDashboardSlug('WEBHOOK_IS_PAUSED');
      const range = 'eventId' in request ? await checkEvent(tx, ref, request.eventId, now) : checkPeriod(request, now);
      const subject = { act: 'webhook-resent', subject: hostOf(webhook.url), subjectId: webhookId } as const;
      await recordAct(tx, accountId, actor, subject, now);
      return present(await insertResend(tx, jobs, ref, range, now));
    })
    .catch((error: unknown) => {
      if (error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION)
        refuseWithDashboardSlug('RESEND_RUNNING');
      throw error;
    });
}

/**
 * For the operator: the same for a webhook of any account. Undefined when there is no such webhook. Staff are authorised in the
 * transaction, and their act is in the log; the command line records its acts itself.
 */
export async function requestAnyResend(
  context: ResendContext,
  webhookId: string,
  request: ResendRequest,
  now: Date,
  authorizeStaff?: AuthorizeOperator,
): Promise<(WebhookResend & { accountId: string }) | undefined> {
  if (!isUuid(webhookId)) return undefined;
  const webhook = await context.db
    .selectFrom('webhooks')
    .select(['account_id as accountId', 'url'])
    .where('id', '=', webhookId)
    .executeTakeFirst();
  if (!webhook) return undefined;
  const { accountId, url } = webhook;
  const authorize: Authorize = async (tx) => {
    if (authorizeStaff) {
      const subject = { type: 'webhook', id: webhookId, title: hostOf(url) };
      const details = { accountId, ...request };
      await recordOperatorAct(tx, await authorizeStaff(tx), { act: 'webhook.resent', subject, details }, now);
    }
    return authorizeOperator(tx);
  };
  return { accountId, ...(await requestResend(context, accountId, webhookId, request, authorize, now)) };
}

/** Sends one event to every webhook of the account that is subscribed to it. Undefined when the event cannot be sent, or is too old. */
export async function resendToAllWebhooks(
  { db, jobs }: ResendContext,
  accountId: string,
  eventId: string,
  now: Date,
): Promise<number | undefined> {
  if (!isUuid(eventId) || instantOf(eventId) < oldestResendable(now)) return undefined;
  return db.transaction().execute(async (tx) => {
    const event = await findEvent(tx, accountId, eventId);
    if (!event || event.isErased) return undefined;
    const webhooks = await tx
      .selectFrom('webhooks as w')
      .leftJoin('webhook_deliveries as d', (join) =>
        join
          .onRef('d.account_id', '=', 'w.account_id')
          .onRef('d.webhook_id', '=', 'w.id')
          .on('d.event_id', '=', eventId),
      )
      .select(['w.id', 'w.events', 'd.status'])
      .where('w.account_id', '=', accountId)
      .where('w.is_active', '=', true)
      .execute();
    const wanted = webhooks.filter(({ events, status }) => events.includes(event.type) && status !== 'pending');
    for (const { id } of wanted) await insertResend(tx, jobs, { accountId, webhookId: id }, oneEvent(eventId), now);
    return wanted.length;
  });
}

/** The latest requests of a webhook, newest first. */
export async function listResends(db: Database, accountId: string, webhookId: string): Promise<WebhookResend[]> {
  const rows = await db
    .selectFrom('webhook_resends')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('webhook_id', '=', webhookId)
    .orderBy('id', 'desc')
    .limit(SHOWN)
    .execute();
  return rows.map(present);
}

export async function findResend(db: Database, accountId: string, id: string): Promise<WebhookResend | undefined> {
  const row = await db
    .selectFrom('webhook_resends')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && present(row);
}

/** Stops a request; events that it has made pending are still sent. Undefined when there is no such request. */
export async function cancelResend(
  db: Database,
  { accountId, webhookId }: WebhookRef,
  id: string,
  authorize: Authorize,
  now: Date,
): Promise<WebhookResend | undefined> {
  if (!isUuid(id) || !isUuid(webhookId)) return undefined;
  return db.transaction().execute(async (tx) => {
    await authorize(tx);
    await tx
      .updateTable('webhook_resends')
      .set({ state: 'cancelled', finished_at: now })
      .where('account_id', '=', accountId)
      .where('webhook_id', '=', webhookId)
      .where('id', '=', id)
      .where('state', '=', 'running')
      .execute();
    const row = await tx
      .selectFrom('webhook_resends')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('webhook_id', '=', webhookId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && present(row);
  });
}

interface Range {
  event_id: string | null;
  scope: 'lost' | 'all';
  since: Date;
  until: Date;
}

async function insertResend(tx: Tx, jobs: JobSender, { accountId, webhookId }: WebhookRef, range: Range, now: Date) {
  const row = await tx
    .insertInto('webhook_resends')
    .values({
      account_id: accountId,
      id: randomUUIDv7(),
      webhook_id: webhookId,
      ...range,
      position: firstIdAt(range.since),
      last_event: range.event_id ?? firstIdAt(range.until),
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await jobs.send(tx, resendEventsJob, { accountId, resendId: row.id, step: 0 });
  return row;
}

async function checkEvent(tx: Tx, { accountId, webhookId }: WebhookRef, eventId: string, now: Date): Promise<Range> {
  const event = (isUuid(eventId) && (await findEvent(tx, accountId, eventId))) || refuseAsNotFound();
  if (event.isErased || instantOf(eventId) < oldestResendable(now)) refuseWithDashboardSlug('EVENT_NOT_RESENDABLE');
  const delivery = await tx
    .selectFrom('webhook_deliveries')
    .select('status')
    .where('account_id', '=', accountId)
    .where('event_id', '=', eventId)
    .where('webhook_id', '=', webhookId)
    .executeTakeFirst();
  if (delivery?.status === 'pending') refuseWithDashboardSlug('DELIVERY_PENDING');
  return oneEvent(eventId);
}

const oneEvent = (eventId: string): Range => {
  const at = instantOf(eventId);
  return { event_id: eventId, scope: 'all', since: at, until: at };
};

function checkPeriod({ since, until, scope }: Exclude<ResendRequest, { eventId: string }>, now: Date): Range {
  const [from, to] = [new Date(since), new Date(Math.min(Date.parse(until), now.getTime()))];
  if (from >= to || from < oldestResendable(now)) refuseWithDashboardSlug('RESEND_PERIOD_INVALID');
  return { event_id: null, scope, since: from, until: to };
}

/** Deliveries are purged after 30 days; one that is resent must not be purged while it is pending. */
const oldestResendable = (now: Date) => new Date(now.getTime() - RESENDABLE_DAYS * 86_400_000);

const findWebhook = (tx: Tx, { accountId, webhookId }: WebhookRef) =>
  tx
    .selectFrom('webhooks')
    .select(['url', 'is_active'])
    .where('account_id', '=', accountId)
    .where('id', '=', webhookId)
    .executeTakeFirst();

const findEvent = (tx: Tx, accountId: string, eventId: string) =>
  tx
    .selectFrom('events')
    .select((eb) => ['type', eb('body', 'is', null).as('isErased')])
    .where('account_id', '=', accountId)
    .where('id', '=', eventId)
    .executeTakeFirst();

function present(row: Selectable<WebhookResends>): WebhookResend {
  const handledUntil = row.state === 'done' && row.position >= row.last_event ? row.until : instantOf(row.position);
  return {
    id: row.id,
    eventId: row.event_id,
    scope: row.scope as WebhookResend['scope'],
    since: row.since.toISOString(),
    until: row.until.toISOString(),
    state: row.state as WebhookResend['state'],
    handledUntil: handledUntil.toISOString(),
    sent: row.sent,
    inProgress: row.in_progress,
    unavailable: row.unavailable,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}
