const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/** An existing calendar date, alone or followed by a time, with or without an offset. */
export function isIsoDate(text: string): boolean {
  const timestamp = TIMESTAMP.exec(text);
  if (!timestamp) return isCalendarDate(text);
  const [, date = '', hour, minute, second = '0', offset = ''] = timestamp;
  const [, offsetHours = '0', offsetMinutes = '0'] = /^[+-](\d{2}):?(\d{2})?$/.exec(offset) ?? [];
  return (
    isCalendarDate(date) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60 &&
    Number(offsetHours) < 24 &&
    Number(offsetMinutes) < 60
  );
}

function isCalendarDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text)?.map(Number) ?? [];
  if (!year || !month || !day || year < 1900 || year > 2200) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
