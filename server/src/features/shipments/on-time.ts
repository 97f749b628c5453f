import { endOfDateFilter, localDay } from '../../calendar/local-calendar.ts';

export interface PromisedTime {
  slotStartsAt: Date | null;
  /** The end of the slot; for express the time of creation, for a special request the agreed pickup time. */
  estimatedDeliveryAt: Date | null;
  createdAt: Date;
}

/**
 * Whether a delivery was on time: by the end of its slot or, without a slot, on the promised local day, since express
 * means the same day.
 */
export function isOnTime(promised: PromisedTime, deliveredAt: Date, timeZone: string): boolean {
  const due = promised.estimatedDeliveryAt ?? promised.createdAt;
  if (promised.slotStartsAt) return deliveredAt <= due;
  return localDay(deliveredAt, timeZone) <= localDay(due, timeZone);
}

/** The end of the promised time: of the slot, or of the local day. */
export function promisedUntil({ slotStartsAt, estimatedDeliveryAt, createdAt }: PromisedTime, timeZone: string): Date {
  const due = estimatedDeliveryAt ?? createdAt;
  return slotStartsAt ? due : endOfDateFilter(localDay(due, timeZone), timeZone);
}
