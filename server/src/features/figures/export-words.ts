import type { FiguresBy, Language } from '@navette/contract';

/** The first columns of each table, one or two. */
export const FIRST_COLUMNS: Record<Language, Record<FiguresBy | 'incident', string[]>> = {
  fr: {
    day: ['Jour'],
    hour: ['Heure'],
    zone: ['Code postal', 'Ville'],
    merchant: ['Commerçant', 'Identifiant'],
    driver: ['Livreur', 'Identifiant'],
    incident: ['Incident'],
  },
  en: {
    day: ['Day'],
    hour: ['Hour'],
    zone: ['Postal code', 'Town'],
    merchant: ['Merchant', 'Id'],
    driver: ['Driver', 'Id'],
    incident: ['Incident'],
  },
};

export const FIGURE_COLUMNS: Record<Language, string[]> = {
  fr: [
    ...['Livrés', 'À l’heure', 'Rapportés', 'Annulés', 'Incidents'],
    ...['Attente d’un livreur p50 (s)', 'Attente d’un livreur p95 (s)'],
    ...['Délai jusqu’à la porte p50 (s)', 'Délai jusqu’à la porte p95 (s)'],
  ],
  en: [
    ...['Delivered', 'On time', 'Returned', 'Cancelled', 'Incidents'],
    ...['Time to a driver p50 (s)', 'Time to a driver p95 (s)', 'Time to the door p50 (s)', 'Time to the door p95 (s)'],
  ],
};

export const MONEY_COLUMNS: Record<Language, string[]> = {
  fr: ['Facturé (EUR)', 'Rémunération (EUR)'],
  en: ['Charged (EUR)', 'Pay (EUR)'],
};

export const COUNT_COLUMN: Record<Language, string> = { fr: 'Nombre', en: 'Count' };
