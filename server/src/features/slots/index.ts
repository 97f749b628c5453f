export {
  type AccountSlot,
  endOf,
  lastDays,
  localDay,
  nextLocalTime,
  resolveSchedule,
  type Schedule,
  startOf,
} from './schedule.ts';
export { findHoursIn } from './time-slot.ts';
