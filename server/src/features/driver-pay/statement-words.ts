import type { EarningKind } from '@navette/contract';

/** French, like every text that a driver gets. */
export const KIND_NAMES: Record<EarningKind, string> = { run: 'Course', correction: 'Correction' };

const AMOUNT = new Intl.NumberFormat('fr-FR', { style: 'currency', currency: 'EUR' });
const MONTH = new Intl.DateTimeFormat('fr-FR', { month: 'long', year: 'numeric', timeZone: 'UTC' });

export const amountInWords = (cents: number): string => AMOUNT.format(cents / 100);
export const monthInWords = (month: string): string => MONTH.format(new Date(`${month}-15T12:00:00Z`));

export const timeFormat = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeStyle: 'short', timeZone });
