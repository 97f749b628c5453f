import { DOCUMENT_WARNING_DAYS } from '@navette/contract';
import { readLatestAudits } from '../../audit/latest-audits.ts';
import { localDay, startOfDateFilter } from '../../calendar/local-calendar.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { distanceKm } from '../../geography/distance-km.ts';
import {
  type DueShipment,
  listAnyCodeLocked,
  listAnyDue,
  listAnyStandingZones,
  listAnyUnassigned,
  listAnyWithoutLocation,
  listAnyWithoutPickupTime,
} from '../dispatch/index.ts';
import { type DriverPositions, listExpiringDocuments, listSilentDrivers } from '../drivers/index.ts';
import { listAnyOpenIncidents } from '../incidents/index.ts';
import { listAnyBalanceRefusals } from '../ledger/index.ts';
import { listAnyFailedMessages } from '../messages/index.ts';
import { isAboutPersonalData } from '../personal-data/index.ts';
import { listAnyOpenReports } from '../recipient-reports/index.ts';
import { listAnyFailingWebhooks, listAnyPausedWebhooks } from '../webhooks/index.ts';
import { REFUSED_RECENTLY_MS } from './entries.ts';
import type { InboxFacts } from './facts.ts';
import { listAnyWaitingApprovals } from './waiting-approvals.ts';

export interface InboxContext {
  db: Database;
  positions: DriverPositions;
  config: Pick<Config, 'inbox' | 'timeZone'>;
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
    documents,
    pausedWebhooks,
    failingWebhooks,
    failedMessages,
    balanceRefusals,
    reports,
    approvals,
    zones,
    audits,
  ] = await Promise.all([
    listAnyUnassigned(db, limit),
    listAnyWithoutLocation(db, limit),
    listAnyWithoutPickupTime(db, limit),
    listAnyCodeLocked(db, limit),
    listAnyOpenIncidents(db, limit),
    listAnyDue(db, { ...dueBefore, limit }).then((due) => withDistances(context, due)),
    listSilentDrivers(db, { before: before(minutes(driverSilentMinutes)), limit }),
    listExpiringDocuments(db, { until: before(-DOCUMENT_WARNING_DAYS * 86_400_000), limit }),
    listAnyPausedWebhooks(db, limit),
    listAnyFailingWebhooks(db, { before: before(minutes(webhookFailingHours * 60)), limit }),
    listAnyFailedMessages(db, { now, limit }),
    listAnyBalanceRefusals(db, { since: before(REFUSED_RECENTLY_MS), limit }),
    listAnyOpenReports(db, limit),
    listAnyWaitingApprovals(db),
    listAnyStandingZones(db, now),
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
    documents,
    pausedWebhooks,
    failingWebhooks,
    failedMessages,
    balanceRefusals,
    reports,
    approvals,
    zones,
    audits,
  };
}

/** From the driver's last position to the recipient. Without Redis no distance is known. */
async function withDistances({ positions }: InboxContext, due: DueShipment[]): Promise<InboxFacts['due']> {
  const moving = due.flatMap(({ status, driverId }) => (status === 'in_transit' && driverId ? [driverId] : []));
  const found = await positions.findAll([...new Set(moving)]).catch(() => null);
  return due.map((shipment) => {
    const position = shipment.driverId ? found?.get(shipment.driverId) : undefined;
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
