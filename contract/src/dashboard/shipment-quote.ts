import Type, { type Static } from 'typebox';
import { Closed, Euros, Instant, Nullable, OneOf, Success } from '../schema-kit.ts';
import { schedule, Weight } from '../schemas/rate.ts';
import { PRICING_MODELS } from '../statuses.ts';

/** The steps of a price, in display order. The amounts add up to the price. */
const PRICE_STEPS = [
  'scheduled_weight', // weightKg × pricePerKg
  'scheduled_minimum', // the supplement up to the minimum price of a slot
  'unusual_hour', // before 9:00 or from 18:00
  'weekend',
  'flat_price', // up to includedKg
  'extra_weight', // extraKg × pricePerKg
  'minimum_price', // the account's agreed price, for any weight
] as const;
export type PriceStepName = (typeof PRICE_STEPS)[number];

export const PriceStep = Closed(
  {
    step: OneOf(PRICE_STEPS),
    amount: Euros(),
    weightKg: Type.Optional(Type.Number({ description: 'The part of the weight that this step charges.' })),
    pricePerKg: Type.Optional(Euros()),
    includedKg: Type.Optional(Type.Number({ description: 'The weight that the price includes.' })),
    least: Type.Optional(Euros({ description: 'The minimum price of a slot.' })),
  },
  { title: 'PriceStep' },
);
export type PriceStep = Static<typeof PriceStep>;

const Obstacle = Type.Object(
  { error: Type.String({ description: 'The slug of the refusal.' }), message: Type.String() },
  {
    title: 'Obstacle',
    description: 'A reason for which the creation would be refused, with the fields of the refusal.',
    additionalProperties: true,
  },
);

export const QuoteRequest = Type.Object({ weight: Weight, ...schedule });
export const QuoteAnswer = Closed({
  success: Success,
  quote: Closed(
    {
      price: Euros(),
      pricingModel: OneOf(PRICING_MODELS),
      steps: Type.Array(PriceStep),
      scheduledDelivery: Nullable(
        Closed({
          date: Type.String({ format: 'date' }),
          timeSlot: Type.String(),
          slotId: Nullable(Type.String()),
          startsAt: Instant(),
          endsAt: Instant(),
        }),
      ),
      balance: Euros(),
      balanceAfter: Euros(),
      obstacles: Type.Array(Obstacle, {
        description: 'Every reason for which this creation would be refused now, in order.',
      }),
    },
    { title: 'Quote' },
  ),
});
export type QuoteRequest = Static<typeof QuoteRequest>;
export type Quote = Static<typeof QuoteAnswer>['quote'];
