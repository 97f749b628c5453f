import Type, { type Static } from 'typebox';
import { Closed, Euros, Instant, Nullable, OneOf, Success } from '../schema-kit.ts';
import { schedule, Weight } from '../schemas/rate.ts';
import { PRICING_MODELS } from '../statuses.ts';

/** What a price is made of, in the order in which it is told. The amounts add up to the price. */
const PRICE_STEPS = [
  'scheduled_weight', // weightKg × pricePerKg
  'scheduled_minimum', // what lifts it to the least that a slot costs
  'unusual_hour', // before 9 or from 18 o'clock
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
    includedKg: Type.Optional(Type.Number({ description: 'Weight that the price covers.' })),
    least: Type.Optional(Euros({ description: 'The least that a slot costs.' })),
  },
  { title: 'PriceStep' },
);
export type PriceStep = Static<typeof PriceStep>;

const Obstacle = Type.Object(
  { error: Type.String({ description: 'The slug that a creation would be refused with.' }), message: Type.String() },
  { title: 'Obstacle', description: 'With the fields that the refusal would carry.', additionalProperties: true },
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
      obstacles: Type.Array(Obstacle, { description: 'What would refuse this creation now, in order.' }),
    },
    { title: 'Quote' },
  ),
});
export type QuoteRequest = Static<typeof QuoteRequest>;
export type Quote = Static<typeof QuoteAnswer>['quote'];
