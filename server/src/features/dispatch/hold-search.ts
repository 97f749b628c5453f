import type { Tx } from '../../database/database.ts';
import { writeZoneMessage } from '../messages/index.ts';
import type { SearchContext } from './assign-nearest.ts';
import { closeOffers, notifyDrivers } from './end-search.ts';
import type { Search } from './searches.ts';
import { writeSteps } from './write-steps.ts';
import type { StandingZone } from './zones.ts';

/**
 * Withdraws the offers of a search and lets it wait until the zone ends; its round goes on then. Decision, timer and the
 * recipient's e-mail commit together, so a crash loses none of them and repeats none.
 */
export async function holdSearch(
  tx: Tx,
  { jobs, config }: SearchContext,
  search: Search,
  zone: StandingZone,
  { now, aheadMs }: { now: Date; aheadMs: number },
): Promise<void> {
  const { accountId, shipmentId, wave, round } = search;
  const asked = await closeOffers(tx, search, 'withdrawn', now);
  await notifyDrivers(tx, jobs, search, asked, 'offer-withdrawn');
  const details = { reason: zone.reason, until: zone.endsAt.toISOString() };
  const decision = search.zoneId === zone.id ? undefined : { kind: 'offers stopped' as const, details };
  const next = { state: 'searching', wave, round, at: zone.endsAt, zoneId: zone.id } as const;
  await writeSteps(tx, jobs, [{ search, now, aheadMs, next, decision }]);
  if (zone.message !== null) {
    await writeZoneMessage(tx, jobs, config, { accountId, shipmentId }, { text: zone.message, until: zone.endsAt });
  }
}
