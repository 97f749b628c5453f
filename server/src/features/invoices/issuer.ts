import type { Config } from '../../config.ts';
import type { InvoiceSeller } from '../../database/json-columns.ts';

/** Settings that an operator needs to issue invoices. */
export interface Issuer {
  seller: InvoiceSeller;
  firstMonth: string;
  vatBasisPoints: number;
  paymentDays: number;
  /** Documents are handed to a certified platform. */
  handsOver: boolean;
  timeZone: string;
}

export type IssuerConfig = Pick<Config, 'invoices' | 'seller' | 'timeZone' | 'einvoice'>;

/** Why no invoices are issued: they are switched off, or settings are missing. */
export interface NoIssuer {
  missing: string[];
}

/** The settings that an installation lacks are named by their variables. */
export function readIssuer({ invoices, seller, timeZone, einvoice }: IssuerConfig): Issuer | NoIssuer {
  const required = {
    INVOICE_FIRST_MONTH: invoices.firstMonth,
    SELLER_NAME: seller.name,
    SELLER_STREET: seller.street,
    SELLER_POSTAL_CODE: seller.postalCode,
    SELLER_CITY: seller.city,
    SELLER_SIREN: seller.siren,
    ...(invoices.vatBasisPoints > 0 ? { SELLER_VAT_ID: seller.vatId } : {}),
  };
  const missing = Object.entries(required).flatMap(([name, value]) => (value ? [] : name));
  const { firstMonth, vatBasisPoints, paymentDays } = invoices;
  if (firstMonth === null || missing.length > 0) return { missing };
  return {
    seller: { ...seller, legalForm: seller.legalForm || null },
    firstMonth,
    vatBasisPoints,
    paymentDays,
    handsOver: einvoice.url !== null,
    timeZone,
  };
}

/** Not set at all: the operator invoices elsewhere, which is nothing to report. */
export const isSwitchedOff = ({ invoices }: IssuerConfig): boolean => invoices.firstMonth === null;

export const isIssuer = (issuer: Issuer | NoIssuer): issuer is Issuer => 'seller' in issuer;
