import { readConfig } from '../src/config.ts';
import type { Database } from '../src/database/database.ts';
import { closeMonths } from '../src/features/invoices/close-month.ts';
import { type Issuer, isIssuer, readIssuer } from '../src/features/invoices/index.ts';
import { writeCharge, writeCredit, writeRefund } from './write-ledger.ts';

/** Settings of an operator that issues invoices from September 2026 on. */
export const INVOICING = {
  INVOICE_FIRST_MONTH: '2026-09',
  SELLER_NAME: 'Navette Exploitation',
  SELLER_LEGAL_FORM: 'SAS au capital de 10 000 €, RCS Paris',
  SELLER_STREET: '12 rue des Entrepôts',
  SELLER_POSTAL_CODE: '75019',
  SELLER_CITY: 'Paris',
  SELLER_SIREN: '303265045',
  SELLER_VAT_ID: 'FR40303265045',
  SELLER_IBAN: 'FR76 3000 6000 0112 3456 7890 189',
};

export function createTestIssuer(settings: Record<string, string> = {}): Issuer {
  const issuer = readIssuer(readConfig({ ...INVOICING, ...settings }));
  if (!isIssuer(issuer)) throw new Error(`missing: ${issuer.missing.join(', ')}`);
  return issuer;
}

/** September and October 2026 of an account without older entries: two invoices, and a credit note on the first. */
export async function closeSampleMonths(db: Database, accountId: string): Promise<string[]> {
  await writeCredit(db, accountId, 1_500, '2026-09-01T08:00:00Z');
  const cancelled = await writeCharge(db, accountId, 850, '2026-09-10T08:00:00Z');
  await writeCharge(db, accountId, 1_150, '2026-09-11T08:00:00Z');
  await writeRefund(db, accountId, cancelled, 850, '2026-10-02T08:00:00Z');
  await writeCharge(db, accountId, 2_350, '2026-10-12T08:00:00Z');
  return closeMonths(db, createTestIssuer(), accountId, '2026-10', new Date('2026-11-02T03:00:00Z'));
}
