import type { Label } from '../label.ts';

const WEIGHT = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 3 });
const DAY = new Intl.DateTimeFormat('fr-FR', { weekday: 'short', day: 'numeric', month: 'long', timeZone: 'UTC' });
const DATE = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeZone: 'UTC' });

const midday = (date: string) => new Date(`${date}T12:00:00Z`);

export const weightInWords = (kilograms: number): string => `${WEIGHT.format(kilograms)} kg`;
export const dayInWords = (date: string): string => DATE.format(midday(date));

/** The promised time as a short title, and the day if there is one. */
export function serviceOf(service: Label['service']): { title: string; detail: string | null } {
  if (service.kind === 'slot') return { title: service.slot, detail: DAY.format(midday(service.date)) };
  if (service.kind === 'agreed') return { title: 'Programmé', detail: 'à l’heure convenue' };
  return { title: 'EXPRESS', detail: 'le jour même' };
}
