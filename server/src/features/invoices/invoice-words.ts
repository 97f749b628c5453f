import type { Language } from '@navette/contract';
import type { InvoiceDocument } from './read-invoices.ts';

const LOCALES: Record<Language, string> = { fr: 'fr-FR', en: 'en-GB' };

/** Texts of invoices and statements, which are kept: amounts, dates and mentions that the law asks for. */
export function wordsIn(language: Language) {
  const locale = LOCALES[language];
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const day = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'long', timeZone: 'UTC' });
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  const count = new Intl.NumberFormat(locale);
  const ordinal = (text: string) => (language === 'fr' ? text.replace(/(^| )1(?= )/, '$11er') : text); // only the first has one
  const midday = (text: string) => new Date(`${text}T12:00:00Z`);
  return {
    ...TEXTS[language],
    money: (cents: number) => money.format(cents / 100),
    date: (text: string) => ordinal(date.format(midday(text))),
    day: (text: string) => ordinal(day.format(midday(text))),
    month: (text: string) => month.format(midday(`${text}-15`)),
    rate: (basisPoints: number) => percent.format(basisPoints / 10_000),
    count: (number: number) => count.format(number),
  };
}
export type Words = ReturnType<typeof wordsIn>;

const FRENCH = {
  invoice: 'Facture',
  creditNote: 'Avoir',
  statement: 'Relevé de compte',
  number: 'Numéro',
  issuedOn: 'Date d’émission',
  dueOn: 'Date d’échéance',
  period: 'Période',
  seller: 'Émetteur',
  buyer: 'Client',
  siren: 'SIREN',
  vatId: 'N° TVA',
  vat: 'TVA',
  net: 'Total HT',
  gross: 'Total TTC',
  rounding: 'Arrondi',
  paid: 'Déjà réglé',
  credited: 'Crédité sur votre compte',
  due: 'Net à payer',
  dayColumn: 'Jour',
  service: 'Prestation',
  shipments: 'Envois',
  netColumn: 'Montant HT',
  grossColumn: 'Montant TTC',
  deliveries: 'Livraison d’envois',
  refunds: 'Envois annulés et remboursés',
  lineOn: (name: string, day: string) => `${name}, ${day}`,
  corrects: (number: string, date: string) => `Avoir sur la facture ${number} du ${date}.`,
  replaces: (number: string) => `Cette facture annule et remplace la facture ${number}.`,
  reason: (note: string) => `Motif : ${note}`,
  transfer: (iban: string) => `Paiement par virement : IBAN ${iban}`,
  terms: (date: string) => `Paiement au plus tard le ${date}.`,
  settled: 'Montant réglé par prélèvement sur le solde du compte.',
  detail: 'Le détail de chaque envoi est dans le relevé du mois, au format CSV, dans votre espace.',
  lateFee: 'Indemnité forfaitaire pour frais de recouvrement en cas de retard de paiement : 40 €.',
  penalty: 'Pénalités de retard exigibles sans rappel : trois fois le taux d’intérêt légal.',
  noDiscount: 'Pas d’escompte pour paiement anticipé.',
  noVat: 'TVA non applicable, art. 293 B du CGI.',
  serviceKind: 'Nature de l’opération : prestation de services.',
  opening: 'Solde initial',
  closing: 'Solde final',
  charges: 'Facturé',
  refunded: 'Remboursements',
  credits: 'Crédits',
  balance: 'Solde',
  statementNote: 'Montants TTC. Le détail de chaque écriture est disponible au format CSV dans votre espace.',
  page: (page: number, pages: number) => `Page ${page} sur ${pages}`,
};

const ENGLISH: typeof FRENCH = {
  invoice: 'Invoice',
  creditNote: 'Credit note',
  statement: 'Account statement',
  number: 'Number',
  issuedOn: 'Date of issue',
  dueOn: 'Due date',
  period: 'Period',
  seller: 'From',
  buyer: 'Bill to',
  siren: 'SIREN',
  vatId: 'VAT number',
  vat: 'VAT',
  net: 'Total excl. VAT',
  gross: 'Total incl. VAT',
  rounding: 'Rounding',
  paid: 'Already paid',
  credited: 'Credited to your account',
  due: 'Amount due',
  dayColumn: 'Day',
  service: 'Service',
  shipments: 'Shipments',
  netColumn: 'Excl. VAT',
  grossColumn: 'Incl. VAT',
  deliveries: 'Delivery of shipments',
  refunds: 'Shipments cancelled and refunded',
  lineOn: (name, day) => `${name}, ${day}`,
  corrects: (number, date) => `Credit note for invoice ${number} of ${date}.`,
  replaces: (number) => `This invoice cancels and replaces invoice ${number}.`,
  reason: (note) => `Reason: ${note}`,
  transfer: (iban) => `Payment by bank transfer: IBAN ${iban}`,
  terms: (date) => `Payment by ${date} at the latest.`,
  settled: 'Amount paid from the balance of the account.',
  detail: 'Every shipment is listed in the month’s statement, as CSV, in your dashboard.',
  lateFee: 'Fixed compensation for recovery costs in case of late payment: €40.',
  penalty: 'Late payment interest due without reminder: three times the French legal interest rate.',
  noDiscount: 'No discount for early payment.',
  noVat: 'VAT not applicable, art. 293 B of the French CGI.',
  serviceKind: 'Nature of the transaction: supply of services.',
  opening: 'Opening balance',
  closing: 'Closing balance',
  charges: 'Charged',
  refunded: 'Refunds',
  credits: 'Credits',
  balance: 'Balance',
  statementNote: 'Amounts include VAT. Every entry is available as CSV in your dashboard.',
  page: (page, pages) => `Page ${page} of ${pages}`,
};

const TEXTS: Record<Language, typeof FRENCH> = { fr: FRENCH, en: ENGLISH };

export const titleOf = ({ kind }: Pick<InvoiceDocument, 'kind'>, words: Words): string =>
  kind === 'invoice' ? words.invoice : words.creditNote;

/** The service that the lines of a document name. */
export const serviceOf = ({ reason }: Pick<InvoiceDocument, 'reason'>, words: Words): string =>
  reason === 'refunds' ? words.refunds : words.deliveries;
