import type { DriverShipment } from '@navette/contract';
import { useText } from '../i18n/text.ts';

/** "14h-16h" today, "17 nov., 14h-16h" on another day, or "as soon as possible". */
export function useSlotText(): (slot: DriverShipment['slot']) => string {
  const { t, format } = useText();
  return ({ date, timeSlot, startsAt }) => {
    if (date === null || timeSlot === null) return t.stop.asap;
    const isToday = startsAt !== null && format.date(startsAt) === format.date(new Date());
    return isToday ? timeSlot : t.stop.slot(format.dayOfSlot(date), timeSlot);
  };
}
