/** The last months as YYYY-MM, starting with the current one in the given time zone. */
export function lastMonths(count: number, now: Date, timeZone: string): string[] {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' }).format(now);
  const [year = 0, month = 1] = today.split('-').map(Number);
  return Array.from({ length: count }, (_, i) => new Date(Date.UTC(year, month - 1 - i, 1)).toISOString().slice(0, 7));
}

/** First and last day of a month, as query of the API; empty for all months. */
export function monthRange(month: string | null): { from?: string; to?: string } {
  if (month === null) return {};
  const [year = 0, number = 1] = month.split('-').map(Number);
  return { from: `${month}-01`, to: new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10) };
}
