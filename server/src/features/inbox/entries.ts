import { hash } from 'node:crypto';
import { DOCUMENT_WARNING_DAYS, INBOX_KINDS, type InboxEntry, type InboxKind } from '@navette/contract';
import { localDay } from '../../calendar/local-calendar.ts';
import type { Config } from '../../config.ts';
import { isOnTime, promisedUntil } from '../shipments/index.ts';
import type { AuditFacts, InboxFacts } from './facts.ts';

export type InboxSettings = Omit<Config['inbox'], 'sharedMs'> & Pick<Config, 'timeZone'>;

/** Something that needs a person. */
export interface Entry {
  key: string;
  kind: InboxKind;
  since: Date;
  subject: Omit<InboxEntry['subject'], 'version'>;
  account: { id: string; name: string } | null;
  facts: InboxEntry['facts'];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NEAR_KM = 1; // a few minutes by bicycle: the driver arrives before anybody has called
export const REFUSED_RECENTLY_MS = 24 * HOUR_MS; // the shop has orders that it could not place today

const URGENCY = Object.keys(INBOX_KINDS) as InboxKind[];

/** Most urgent first: by kind, then the oldest. Pure: the same facts at the same time give the same entries. */
export function inboxEntries(facts: InboxFacts, now: Date, settings: InboxSettings): Entry[] {
  const specific = [
    ...facts.codeLocked.map(codeLocked),
    ...facts.incidents.map(incidentOpen),
    ...facts.unassigned.map(noDriver),
    ...facts.withoutLocation.map(noPlace),
  ];
  // A parcel is listed once: the entry with the better next act already names it.
  const listed = new Set(specific.map(({ subject }) => subject.id));
  const entries = [
    ...onePerSubject(specific),
    ...facts.due.filter(({ shipmentId }) => !listed.has(shipmentId)).flatMap((due) => lateness(due, now, settings)),
    ...noPickupTime(facts.withoutPickupTime),
    ...documentsExpiring(facts.documents, now, settings),
    ...facts.silentDrivers.flatMap((driver) => driverSilent(driver, now, settings)),
    ...facts.pausedWebhooks.flatMap(webhookPaused),
    ...facts.failingWebhooks.flatMap((webhook) => webhookFailing(webhook, now, settings)),
    ...facts.failedMessages.map(messageFailed),
    ...facts.balanceRefusals.flatMap((refusal) => balanceEmpty(refusal, now)),
    ...facts.zones.map(offersStopped),
    ...facts.reports.map(recipientReport),
    ...facts.approvals.map(approvalWaiting),
    ...auditFindings(facts.audits),
  ];
  return entries.toSorted(
    (a, b) =>
      URGENCY.indexOf(a.kind) - URGENCY.indexOf(b.kind) ||
      a.since.getTime() - b.since.getTime() ||
      (a.key < b.key ? -1 : 1),
  );
}

/** A locked code and an incident of one parcel are one entry, the more urgent. */
function onePerSubject(entries: Entry[]): Entry[] {
  const seen = new Set<string>();
  return entries.filter(({ subject: { id } }) => !seen.has(id) && seen.add(id));
}

type ShipmentFact = { shipmentId: string; reference: string; accountId: string; account: string };

const aboutShipment = (kind: InboxKind, fact: ShipmentFact, since: Date, facts: Entry['facts']): Entry => ({
  key: `${kind}:${fact.shipmentId}`,
  kind,
  since,
  subject: { type: 'shipment', id: fact.shipmentId, title: fact.reference },
  account: accountOf(fact),
  facts,
});

const accountOf = ({ accountId, account }: { accountId: string; account: string }) => ({
  id: accountId,
  name: account,
});

const noDriver = (fact: InboxFacts['unassigned'][number]): Entry =>
  aboutShipment('no_driver', fact, fact.spentAt, { rounds: fact.rounds, asked: fact.asked, from: fact.from });

const noPlace = (fact: InboxFacts['withoutLocation'][number]): Entry =>
  aboutShipment('no_place', fact, fact.createdAt, { missing: fact.missing, address: fact.address });

const codeLocked = (fact: InboxFacts['codeLocked'][number]): Entry =>
  aboutShipment('code_locked', fact, fact.lockedAt, { driver: fact.driver, driverPhone: fact.driverPhone });

const incidentOpen = (fact: InboxFacts['incidents'][number]): Entry =>
  aboutShipment('incident_open', fact, fact.happenedAt, {
    incident: fact.kind,
    note: fact.note,
    driver: fact.driverName,
    driverPhone: fact.driverPhone,
  });

/** An express shipment is promised for its day, so it is late on the next one, and never nearly late. */
function lateness(fact: InboxFacts['due'][number], now: Date, { nearlyLateMinutes, timeZone }: InboxSettings): Entry[] {
  const until = promisedUntil(fact, timeZone);
  const { status, driver, driverPhone, kmLeft } = fact;
  const minutes = Math.floor(Math.abs(now.getTime() - until.getTime()) / MINUTE_MS);
  const facts = { status, driver, driverPhone, kmLeft };
  if (!isOnTime(fact, now, timeZone)) return [aboutShipment('late', fact, until, { ...facts, minutesLate: minutes })];
  const nearlyFrom = new Date(until.getTime() - nearlyLateMinutes * MINUTE_MS);
  if (!fact.slotStartsAt || now < nearlyFrom || isNear(fact)) return [];
  return [aboutShipment('nearly_late', fact, nearlyFrom, { ...facts, minutesLeft: minutes })];
}

/** A driver on the way whose position is unknown counts as near: when Redis restarts, no parcel becomes late by that. */
const isNear = ({ status, kmLeft }: InboxFacts['due'][number]) =>
  status === 'in_transit' && (kmLeft === null || kmLeft <= NEAR_KM);

/** One entry per account: its agreed pickup time is missing, whatever the number of parcels. */
function noPickupTime(waiting: InboxFacts['withoutPickupTime']): Entry[] {
  const byAccount = Map.groupBy(waiting, ({ accountId }) => accountId);
  return [...byAccount.values()].flatMap((shipments) => {
    const [oldest] = shipments.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
    if (!oldest) return [];
    return [aboutAccount('no_pickup_time', oldest, oldest.createdAt, { shipments: shipments.length })];
  });
}

const aboutAccount = (
  kind: InboxKind,
  fact: { accountId: string; account: string },
  since: Date,
  facts: Entry['facts'],
): Entry => ({
  key: `${kind}:${fact.accountId}`,
  kind,
  since,
  subject: { type: 'account', id: fact.accountId, title: fact.account },
  account: accountOf(fact),
  facts,
});

function driverSilent(
  { driverId, driver, phone, lastSeenAt, parcels }: InboxFacts['silentDrivers'][number],
  now: Date,
  { driverSilentMinutes }: InboxSettings,
): Entry[] {
  const silentMs = now.getTime() - lastSeenAt.getTime();
  if (parcels === 0 || silentMs < driverSilentMinutes * MINUTE_MS) return [];
  const facts = { driverPhone: phone, parcels, minutesSilent: Math.floor(silentMs / MINUTE_MS) };
  const subject = { type: 'driver', id: driverId, title: driver } as const;
  return [
    { key: `driver_silent:${driverId}`, kind: 'driver_silent', since: lastSeenAt, subject, account: null, facts },
  ];
}

/** One entry per driver: the paper that expires first, and how many more. */
function documentsExpiring(documents: InboxFacts['documents'], now: Date, { timeZone }: InboxSettings): Entry[] {
  const today = Date.parse(localDay(now, timeZone));
  const daysLeft = ({ expiresOn }: InboxFacts['documents'][number]) => (Date.parse(expiresOn) - today) / DAY_MS;
  const due = documents.filter((document) => daysLeft(document) <= DOCUMENT_WARNING_DAYS);
  return [...Map.groupBy(due, ({ driverId }) => driverId).values()].flatMap((papers): Entry[] => {
    const [first] = papers.toSorted((a, b) => daysLeft(a) - daysLeft(b));
    if (!first) return [];
    const { driverId, driver, kind, expiresOn } = first;
    const since = new Date(Date.parse(expiresOn) - DOCUMENT_WARNING_DAYS * DAY_MS);
    const subject = { type: 'driver', id: driverId, title: driver } as const;
    const facts = { document: kind, expiresOn, daysLeft: daysLeft(first), more: papers.length - 1 };
    const key = `document_expiring:${driverId}`;
    return [{ key, kind: 'document_expiring', since, subject, account: null, facts }];
  });
}

type WebhookFact = InboxFacts['pausedWebhooks'][number];

const aboutWebhook = (kind: InboxKind, fact: WebhookFact, since: Date): Entry => ({
  key: `${kind}:${fact.webhookId}`,
  kind,
  since,
  subject: { type: 'webhook', id: fact.webhookId, title: fact.host },
  account: accountOf(fact),
  facts: { failingSince: fact.failingSince?.toISOString() ?? null },
});

const webhookPaused = (fact: WebhookFact): Entry[] =>
  fact.pausedAt ? [aboutWebhook('webhook_paused', fact, fact.pausedAt)] : [];

function webhookFailing(fact: WebhookFact, now: Date, { webhookFailingHours }: InboxSettings): Entry[] {
  const { failingSince, pausedAt } = fact;
  if (!failingSince || pausedAt) return [];
  const isLong = now.getTime() - failingSince.getTime() >= webhookFailingHours * HOUR_MS;
  return isLong ? [aboutWebhook('webhook_failing', fact, failingSince)] : [];
}

const messageFailed = (fact: InboxFacts['failedMessages'][number]): Entry => ({
  key: `message_failed:${fact.messageId}`,
  kind: 'message_failed',
  since: fact.createdAt,
  subject: { type: 'message', id: fact.messageId, title: fact.reference },
  account: accountOf(fact),
  facts: { message: fact.kind, to: fact.to, failure: fact.failure, shipmentId: fact.shipmentId },
});

/** Ends when the balance pays for the refused shipment, or when nothing was refused for a day. */
function balanceEmpty(fact: InboxFacts['balanceRefusals'][number], now: Date): Entry[] {
  const { firstAt, lastAt, priceCents, balanceCents } = fact;
  if (balanceCents >= priceCents || now.getTime() - lastAt.getTime() >= REFUSED_RECENTLY_MS) return [];
  const facts = { balance: balanceCents / 100, refusedPrice: priceCents / 100, lastRefusedAt: lastAt.toISOString() };
  return [aboutAccount('balance_empty', fact, firstAt, facts)];
}

/** A zone stands until somebody lifts it or it ends: it stays listed, so that nobody forgets it. */
const offersStopped = ({ id, reason, createdAt, createdBy, endsAt, waiting }: InboxFacts['zones'][number]): Entry => ({
  key: `offers_stopped:${id}`,
  kind: 'offers_stopped',
  since: new Date(createdAt),
  subject: { type: 'zone', id, title: reason },
  account: null,
  facts: { waiting, endsAt, createdBy },
});

const recipientReport = (fact: InboxFacts['reports'][number]): Entry =>
  aboutShipment('recipient_report', fact, fact.reportedAt, { report: fact.kind });

const approvalWaiting = (fact: InboxFacts['approvals'][number]): Entry => ({
  key: `approval_waiting:${fact.id}`,
  kind: 'approval_waiting',
  since: fact.requestedAt,
  subject: { type: 'approval', id: fact.id, title: fact.subject },
  account: accountOf(fact),
  facts: {
    act: fact.act,
    amount: fact.amountCents === null ? null : fact.amountCents / 100,
    reason: fact.reason,
    requestedBy: fact.requestedBy,
  },
});

/**
 * The findings of the latest audit. `since` is that audit, not the first one with this finding: a finding that was resolved and
 * is still there comes back with the next audit.
 */
function auditFindings([latest, ...earlier]: AuditFacts[]): Entry[] {
  if (!latest) return [];
  const entry = (kind: 'audit_finding' | 'retention_late', invariant: string, of: (audit: AuditFacts) => string[]) => {
    const fixed = earlier.findIndex((audit) => !of(audit).includes(invariant));
    const first = [latest, ...earlier.slice(0, fixed === -1 ? earlier.length : fixed)].at(-1) ?? latest;
    const id = hash('sha256', invariant, 'hex').slice(0, 16);
    return {
      key: `${kind}:${id}`,
      kind,
      since: latest.finishedAt,
      subject: { type: 'system', id, title: invariant } as const,
      account: null,
      facts: { firstFoundAt: first.finishedAt.toISOString() },
    };
  };
  return [
    ...latest.findings.map((invariant) => entry('audit_finding', invariant, ({ findings }) => findings)),
    ...latest.retention.map((invariant) => entry('retention_late', invariant, ({ retention }) => retention)),
  ];
}
