import Type, { type Static } from 'typebox';
import { Closed, Id, Instant, Nullable, OneOf } from './schema-kit.ts';

export const REPORT_KINDS = ['not_received', 'damaged', 'incomplete', 'other'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

export const RecipientReport = Closed(
  {
    id: Id('Report id'),
    kind: OneOf(REPORT_KINDS),
    message: Nullable(Type.String({ description: 'By the recipient.' })),
    reportedAt: Instant(),
    closedAt: Nullable(Instant()),
    outcome: Nullable(Type.String({ description: 'How the operator closed it.' })),
  },
  { title: 'RecipientReport' },
);
export type RecipientReport = Static<typeof RecipientReport>;
