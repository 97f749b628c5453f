import type { Config } from '../../config.ts';
import { type ArchivingContext, archiveShipments } from './archive-shipments.ts';

/** Does nothing unless ARCHIVE_AFTER_DAYS is set. */
export async function archiveNightly(
  context: ArchivingContext,
  { archiveAfterDays }: Pick<Config, 'archiveAfterDays'>,
  now: () => Date,
): Promise<void> {
  if (archiveAfterDays !== null) await archiveShipments(context, archiveAfterDays, now);
}
