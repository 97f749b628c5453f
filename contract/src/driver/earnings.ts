import Type, { type Static } from 'typebox';
import { Closed, Euros, File, Instant, Nullable, OneOf, Success } from '../schema-kit.ts';

/** `run`: a delivered shipment. `correction`: an entry of the operator, with a reason. Entries never change. */
export const EARNING_KINDS = ['run', 'correction'] as const;
export type EarningKind = (typeof EARNING_KINDS)[number];

/** Of this century: every month has a representable end. */
export const MONTH_PATTERN = '^20\\d{2}-(0[1-9]|1[0-2])$';

export const EarningsQuery = Type.Object({
  month: Type.Optional(
    Type.String({
      pattern: MONTH_PATTERN,
      examples: ['2030-05'],
      description: 'A month in the service’s time zone; the current one by default.',
    }),
  ),
});
export const StatementParams = Type.Object({ month: Type.String({ description: 'A month such as `2030-05`' }) });

const Earning = Closed(
  {
    at: Instant({ description: 'When the entry was written.' }),
    kind: OneOf(EARNING_KINDS),
    amount: Euros(),
    referenceNumber: Nullable(Type.String({ description: 'Of the shipment; null in a correction.' })),
    reason: Nullable(Type.String({ description: 'Of a correction.' })),
  },
  { title: 'Earning' },
);
export type Earning = Static<typeof Earning>;

export const EarningsAnswer = Closed({
  success: Success,
  month: Type.String({ examples: ['2030-05'] }),
  total: Euros({ description: 'The sum of the entries.' }),
  entries: Type.Array(Earning, { description: 'All of the month, oldest first.' }),
});
export const StatementPdf = File('application/pdf');
export const StatementCsv = File('text/csv');
