import type { InvoiceLine } from '../../database/json-columns.ts';

export interface VatSplit {
  netCents: number;
  vatCents: number;
  /** The rest of the gross amount: -1, 0 or 1. */
  roundingCents: number;
}

/** An amount of the ledger, which includes VAT, for one local day. */
export type GrossLine = Omit<InvoiceLine, 'netCents'>;

const WHOLE = 10_000n; // basis points

/**
 * The VAT inside an amount. EN 16931 computes VAT from the net amount (BR-CO-17), and not every gross amount is the sum of a net
 * amount and its VAT: at 20 % there is none for 0.03. The missing cent is the rounding amount of the invoice (BT-114).
 */
export function splitGross(grossCents: number, vatBasisPoints: number): VatSplit {
  const netCents = netOf(grossCents, vatBasisPoints);
  const vatCents = Number(divideHalfUp(BigInt(netCents) * BigInt(vatBasisPoints), WHOLE));
  return { netCents, vatCents, roundingCents: grossCents - netCents - vatCents };
}

/** Net amounts of lines, each at most a cent from its exact value, that add up to the net amount of the sum. */
export function splitLines(lines: GrossLine[], vatBasisPoints: number): InvoiceLine[] {
  let gross = 0;
  let net = 0;
  return lines.map((line) => {
    gross += line.grossCents;
    const netCents = netOf(gross, vatBasisPoints) - net;
    net += netCents;
    return { ...line, netCents };
  });
}

const netOf = (grossCents: number, vatBasisPoints: number): number =>
  Number(divideHalfUp(BigInt(grossCents) * WHOLE, WHOLE + BigInt(vatBasisPoints)));

/** For amounts that are not negative. */
const divideHalfUp = (amount: bigint, by: bigint): bigint => (2n * amount + by) / (2n * by);
