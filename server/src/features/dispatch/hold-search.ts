import type { Tx } from '../../database/database.ts';
import { writeZoneMessage } from '../messages/index.ts';
import { recordDecision } from './decisions.ts';
import { closeOffers, notifyDrivers } from './end-search.ts';
import type { SearchContext } from './next-wave.ts';
import { type Search, saveStep } from './searches.ts';
import type { StandingZone } from './zones.ts';

/**
 * Withdraws the offers of a search and lets it wait until the zone ends; its round goes on then. Decision, timer and the
 * recipient's e-mail commit together, so a crash loses none of them and repeats none.
 */
export async function holdSearch(
  tx: Tx,
  context: SearchContext,
  search: Search,
  zone: StandingZone,
  now: Date,
): Promise<void> {
  const { jobs, config } = context;
  const { accountId, shipmentId, id: searchId, wave, round } = search;
  const asked = await closeOffers(tx, search, 'withdrawn', now);
  await notifyDrivers(tx, jobs, search, asked, 'offer-withdrawn');
  if (search.zoneId !== zone.id) {
    const details = { reason: zone.reason, until: zone.endsAt.toISOString() };
    await recordDecision(tx, { accountId, shipmentId, searchId, kind: 'offers stopped', at: now, details });
  }
  await saveStep(tx, context, search, { state: 'searching', wave, round, at: zone.endsAt, zoneId: zone.id });
  if (zone.message !== null) {
    await writeZoneMessage(tx, jobs, config, { accountId, shipmentId }, { text: zone.message, until: zone.endsAt });
  }
}
