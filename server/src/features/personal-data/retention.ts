import { type RawBuilder, sql } from 'kysely';
import type { Config } from '../../config.ts';

export type Retention = Pick<Config, 'shipmentRetentionDays' | 'deliveryCodeRetentionDays' | 'messageRetentionDays'>;

/** Long enough to investigate an intrusion. The trigger of migration 0016 refuses to delete younger entries. */
export const SECURITY_LOG_KEPT_DAYS = 3 * 365;

const DAY_MS = 86_400_000;

export const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS);

/** Shipments that ended before this instant are erased: `most` days ago, or fewer if the account `a` requires it. */
export const erasedBefore = (now: Date, most: number): RawBuilder<Date> =>
  sql<Date>`(${now}::timestamptz - make_interval(hours => 24 * least(a.retention_days, ${most}::int)))`;
