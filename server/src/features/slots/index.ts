export { type AccountSlot, resolveSchedule, type Schedule } from './schedule.ts';
export { findHoursIn } from './time-slot.ts';
