/** YYYY-MM in the phone's time zone, which is the driver's. */
export function monthOf(ms: number): string {
  const date = new Date(ms);
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`;
}

export function monthBefore(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return monthOf(new Date(year, number - 1 - by, 15).getTime());
}
