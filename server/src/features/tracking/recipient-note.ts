import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { tidyText } from '../../text/tidy-text.ts';
import type { Arrival } from '../arrival/index.ts';
import type { TrackedShipment, Viewer } from './find-tracked-shipment.ts';

export const MAX_NOTE_CHARACTERS = 200;
const NEAR_MS = 10 * 60_000; // a driver who parks does not read the app again

/** Until the driver is near: a later note would not be read. */
export function mayWriteNote(
  shipment: TrackedShipment,
  viewer: Viewer,
  arrival: Pick<Arrival, 'from'> | null,
  now: Date,
): boolean {
  if (viewer !== 'recipient' || shipment.endedAt) return false;
  if (shipment.status !== 'in_transit') return true;
  return arrival !== null && arrival.from.getTime() - now.getTime() > NEAR_MS;
}

/** Replaces the note, or removes it when the text is empty. Across accounts: the signed link is the permission. */
export async function saveNoteForTokenHolder(db: Database, shipmentId: string, text: string, now: Date): Promise<void> {
  const note = tidyText(text, MAX_NOTE_CHARACTERS);
  if (note === '') {
    await sql`delete from recipient_notes n using shipments s
      where s.id = ${shipmentId} and (n.account_id, n.shipment_id) = (s.account_id, s.id)`.execute(db);
    return;
  }
  await sql`
    insert into recipient_notes (account_id, shipment_id, note, written_at)
    select account_id, id, ${note}, ${now} from shipments
    where id = ${shipmentId} and coalesce(delivered_at, cancelled_at, returned_at) is null
    on conflict (account_id, shipment_id) do update set note = excluded.note, written_at = excluded.written_at`.execute(
    db,
  );
}
