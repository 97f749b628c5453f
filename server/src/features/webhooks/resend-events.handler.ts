import { MOST_RESENT_EVENTS } from '@navette/contract';
import { type Selectable, sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import type { WebhookResends } from '../../database/tables.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { type ResendPayload, resendEventsJob } from '../../jobs/definitions.ts';
import type { PendingWebhook } from './add-deliveries.ts';
import { resendDeliveries } from './resend-deliveries.ts';

const SCANNED = 500; // events per step
const MOST_PENDING = 100; // deliveries of the webhook: new events wait behind them
const WAIT_MS = 1_000;
const FOLLOWED_AFTER_MS = 60_000; // a newer event without a delivery is about to get its first one

export interface ResendEventsContext {
  db: Database;
  jobs: JobSender;
  wakeSenders: (webhooks: PendingWebhook[]) => Promise<void>;
}

/**
 * Runs one step of a resend: some events become pending again, the position moves, and the next step is enqueued,
 * in one transaction. Steps are short, so the queue serves other accounts in between. A job whose step was done by a
 * worker that died before it completed the job only wakes the sender.
 */
export async function resendEvents({ db, jobs, wakeSenders }: ResendEventsContext, payload: ResendPayload, now: Date) {
  const webhook = await db.transaction().execute((tx) => takeStep(tx, jobs, payload, now));
  if (webhook) await wakeSenders([webhook]);
}

async function takeStep(tx: Tx, jobs: JobSender, { accountId, resendId, step }: ResendPayload, now: Date) {
  const resend = await tx
    .selectFrom('webhook_resends')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', resendId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!resend) return null;
  const webhook = await tx
    .selectFrom('webhooks')
    .select(['events', 'created_at', 'failing_since'])
    .where('account_id', '=', accountId)
    .where('id', '=', resend.webhook_id)
    .where('is_active', '=', true)
    .executeTakeFirst();
  if (resend.state === 'running' && resend.step === step) {
    const change = webhook ? await proceed(tx, resend, webhook, now) : ({ state: 'cancelled' } as const);
    await tx
      .updateTable('webhook_resends')
      .set({ ...change, step: step + 1, ...(change.state ? { finished_at: now } : {}) })
      .where('account_id', '=', accountId)
      .where('id', '=', resendId)
      .execute();
    if (!change.state) {
      const startAfter = 'position' in change ? now : new Date(now.getTime() + WAIT_MS);
      await jobs.send(tx, resendEventsJob, { accountId, resendId, step: step + 1 }, { startAfter });
    }
  }
  return webhook && { accountId, webhookId: resend.webhook_id, isFailing: webhook.failing_since !== null };
}

type Resend = Selectable<WebhookResends>;
interface Subscription {
  events: string[];
  created_at: Date;
}
type Change = Partial<Pick<Resend, 'position' | 'sent' | 'in_progress' | 'unavailable'>> & {
  state?: 'done' | 'cancelled';
};

/** Without a position: the webhook has enough pending deliveries, and the next step waits. */
async function proceed(tx: Tx, resend: Resend, webhook: Subscription, now: Date): Promise<Change> {
  if (resend.event_id) return send(tx, resend, [resend.event_id], resend.event_id, true);
  const capacity = MOST_PENDING - (await countPending(tx, resend));
  if (capacity <= 0) return {};
  const scanned = await scan(tx, resend);
  const left = Math.min(capacity, MOST_RESENT_EVENTS - resend.sent);
  const chosen: string[] = [];
  let position = resend.position;
  for (const event of scanned) {
    if (chosen.length === left) break;
    if (isWanted(event, resend, webhook, now)) chosen.push(event.id);
    position = event.id;
  }
  const isAtEnd = scanned.length < SCANNED && position === (scanned.at(-1)?.id ?? resend.position);
  const isFull = resend.sent + chosen.length >= MOST_RESENT_EVENTS;
  return send(tx, resend, chosen, isAtEnd ? resend.last_event : position, isAtEnd || isFull);
}

async function send(tx: Tx, resend: Resend, eventIds: string[], position: string, isDone: boolean): Promise<Change> {
  const ref = { accountId: resend.account_id, webhookId: resend.webhook_id, resendId: resend.id };
  const { sent, inProgress, unavailable } = await resendDeliveries(tx, ref, eventIds);
  return {
    position,
    sent: resend.sent + sent,
    in_progress: resend.in_progress + inProgress,
    unavailable: resend.unavailable + unavailable,
    ...(isDone ? { state: 'done' as const } : {}),
  };
}

interface ScannedEvent {
  id: string;
  type: string;
  createdAt: Date;
  isErased: boolean;
  status: string | null;
}

/** Lost: dropped, cancelled by a pause, or never sent because the webhook was paused. An erased event is counted. */
function isWanted(event: ScannedEvent, { scope }: Resend, webhook: Subscription, now: Date): boolean {
  if (!webhook.events.includes(event.type)) return false;
  if (scope === 'all' || event.isErased) return true;
  if (event.status !== null) return event.status === 'dropped' || event.status === 'cancelled';
  return event.createdAt >= webhook.created_at && now.getTime() - event.createdAt.getTime() > FOLLOWED_AFTER_MS;
}

async function scan(tx: Tx, resend: Resend): Promise<ScannedEvent[]> {
  const { rows } = await sql<ScannedEvent>`
    select e.id, e.type, e.created_at as "createdAt", e.body is null as "isErased", d.status
    from events e
    left join webhook_deliveries d
      on (d.account_id, d.event_id, d.webhook_id) = (e.account_id, e.id, ${resend.webhook_id}::uuid)
    where e.account_id = ${resend.account_id} and e.id > ${resend.position}::uuid and e.id < ${resend.last_event}::uuid
    order by e.id limit ${SCANNED}`.execute(tx);
  return rows;
}

async function countPending(tx: Tx, { account_id: accountId, webhook_id: webhookId }: Resend): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from webhook_deliveries
      where account_id = ${accountId} and webhook_id = ${webhookId} and status = 'pending'
      limit ${MOST_PENDING}) as pending`.execute(tx);
  return rows[0]?.count ?? 0;
}
