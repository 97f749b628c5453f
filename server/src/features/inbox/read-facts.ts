import type { Redis } from 'ioredis';
import { readLatestAudits } from '../../audit/latest-audits.ts';
import { localDay, startOfDateFilter } from '../../calendar/local-calendar.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { distanceKm } from '../../geography/distance-km.ts';
import {
  type DueShipment,
  listAnyCodeLocked,
  listAnyDue,
  listAnyUnassigned,
  listAnyWithoutLocation,
  listAnyWithoutPickupTime,
} from '../dispatch/index.ts';
import { listSilentDrivers, livePositions } from '../drivers/index.ts';
import { listAnyOpenIncidents } from '../incidents/index.ts';
import { listAnyBalanceRefusals } from '../ledger/index.ts';
import { listAnyFailedMessages } from '../messages/index.ts';
import { isAboutPersonalData } from '../personal-data/index.ts';
import { listAnyFailingWebhooks, listAnyPausedWebhooks } from '../webhooks/index.ts';
import { REFUSED_RECENTLY_MS } from './entries.ts';
import type { InboxFacts } from './facts.ts';
import { listAnyWaitingApprovals } from './waiting-approvals.ts';

export interface InboxContext {
  db: Database;
  redis: Redis;
  config: Pick<Config, 'inbox' | 'timeZone' | 'redisPrefix'>;
}

const MOST_OF_A_KIND = 500; // more than a team works through; it bounds the cost of the list
const AUDITS = 30; // a month of nightly audits, to tell since when something is found

/** Reads the facts of every account, each by an index that holds little else. The order of the reads is no matter. */
export async function readAnyFacts(context: InboxContext, now: Date): Promise<InboxFacts> {
  const { db, config } = context;
  const limit = MOST_OF_A_KIND;
  const before = (ms: number) => new Date(now.getTime() - ms);
  const minutes = (many: number) => many * 60_000;
  const { nearlyLateMinutes, driverSilentMinutes, webhookFailingHours } = config.inbox;
  const dueBefore = {
    slotBefore: before(-minutes(nearlyLateMinutes)),
    dayBefore: startOfDateFilter(localDay(now, config.timeZone), config.timeZone),
  };
  const [
    unassigned,
    withoutLocation,
    withoutPickupTime,
    codeLocked,
    incidents,
    due,
    silentDrivers,
    pausedWebhooks,
    failingWebhooks,
    failedMessages,
    balanceRefusals,
    approvals,
    audits,
  ] = await Promise.all([
    listAnyUnassigned(db, limit),
    listAnyWithoutLocation(db, limit),
    listAnyWithoutPickupTime(db, limit),
    listAnyCodeLocked(db, limit),
    listAnyOpenIncidents(db, limit),
    listAnyDue(db, { ...dueBefore, limit }).then((due) => withDistances(context, due)),
    listSilentDrivers(db, { before: before(minutes(driverSilentMinutes)), limit }),
    listAnyPausedWebhooks(db, limit),
    listAnyFailingWebhooks(db, { before: before(minutes(webhookFailingHours * 60)), limit }),
    listAnyFailedMessages(db, { now, limit }),
    listAnyBalanceRefusals(db, { since: before(REFUSED_RECENTLY_MS), limit }),
    listAnyWaitingApprovals(db),
    readAudits(db),
  ]);
  return {
    unassigned,
    withoutLocation,
    withoutPickupTime,
    codeLocked,
    incidents,
    due,
    silentDrivers,
    pausedWebhooks,
    failingWebhooks,
    failedMessages,
    balanceRefusals,
    approvals,
    audits,
  };
}

/** From the driver's last position to the recipient. Without Redis no distance is known. */
async function withDistances({ redis, config }: InboxContext, due: DueShipment[]): Promise<InboxFacts['due']> {
  const moving = due.flatMap(({ status, driverId }) => (status === 'in_transit' && driverId ? [driverId] : []));
  const positions = await livePositions(redis, config.redisPrefix, [...new Set(moving)]).catch(() => null);
  return due.map((shipment) => {
    const position = shipment.driverId ? positions?.get(shipment.driverId) : undefined;
    if (!position || !shipment.destination) return { ...shipment, kmLeft: null };
    return { ...shipment, kmLeft: Math.round(distanceKm(position, shipment.destination) * 10) / 10 };
  });
}

async function readAudits(db: Database): Promise<InboxFacts['audits']> {
  const audits = await readLatestAudits(db, AUDITS);
  return audits.map(({ finishedAt, brokenInvariants }) => ({
    finishedAt,
    retention: brokenInvariants.filter(isAboutPersonalData),
    findings: brokenInvariants.filter((invariant) => !isAboutPersonalData(invariant)),
  }));
}
