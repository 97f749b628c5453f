import Type, { type Static } from 'typebox';
import { Closed, Instant, Nullable } from './schema-kit.ts';

/** For the web apps only: the merchant API has no such field. */
const ArrivalWindow = Closed(
  { from: Instant({ description: 'Start of the window.' }), until: Instant({ description: 'End of the window.' }) },
  { title: 'ArrivalWindow' },
);
export type ArrivalWindow = Static<typeof ArrivalWindow>;

export const ExpectedArrival = Nullable(
  Type.Unsafe<ArrivalWindow>({
    ...ArrivalWindow,
    description: 'When the driver is expected at the recipient; null while nobody can tell.',
  }),
);
