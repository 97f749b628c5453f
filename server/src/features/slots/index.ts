export { type AccountSlot, findSlot, resolveSchedule, type Schedule } from './schedule.ts';
export { findHoursIn } from './time-slot.ts';
