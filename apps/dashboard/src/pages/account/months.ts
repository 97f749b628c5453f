/** The last so many months, this one first, as YYYY-MM. */
export function lastMonths(count: number, now: Date): string[] {
  const [year, month] = [now.getFullYear(), now.getMonth()];
  return Array.from({ length: count }, (_, i) => new Date(Date.UTC(year, month - i, 1)).toISOString().slice(0, 7));
}

/** First and last day of a month, as the API takes them; none for all months. */
export function monthRange(month: string | null): { from?: string; to?: string } {
  if (month === null) return {};
  const [year = 0, number = 1] = month.split('-').map(Number);
  return { from: `${month}-01`, to: new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10) };
}
