import { localDay } from '../slots/index.ts';

export interface Promised {
  slotStartsAt: Date | null;
  /** End of the slot; for express the creation, for a special request the agreed pickup. */
  estimatedDeliveryAt: Date | null;
  createdAt: Date;
}

/**
 * Whether a delivery kept what was promised: by the end of the slot where there is one; else on the promised local day,
 * since express means the same day.
 */
export function isOnTime(promised: Promised, deliveredAt: Date, timeZone: string): boolean {
  const due = promised.estimatedDeliveryAt ?? promised.createdAt;
  if (promised.slotStartsAt) return deliveredAt <= due;
  return localDay(deliveredAt, timeZone) <= localDay(due, timeZone);
}
