import Type, { type Static } from 'typebox';
import { MAX_WEIGHT_KG } from '../limits.ts';
import { Closed, Euros, Nullable, OneOf, Success } from '../schema-kit.ts';
import { PRICING_MODELS } from '../statuses.ts';

export const Weight = Type.Number({
  exclusiveMinimum: 0,
  maximum: MAX_WEIGHT_KG,
  description: 'Kilograms.',
  examples: [2.5],
});

/** Both or neither: together they define a scheduled delivery. */
export const schedule = {
  scheduledDate: Type.Optional(
    Type.String({
      format: 'iso-date',
      description: 'A date, or a timestamp, of which the local date is used. Requires `timeSlot`.',
      examples: ['2030-05-20'],
    }),
  ),
  timeSlot: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'The id or label of one of the account’s slots, or free text such as `14h-16h` or `14:00-16:00`.',
      examples: ['14h-16h'],
    }),
  ),
};

export const RateRequest = Type.Object(
  {
    weight: Type.Optional(Weight),
    parcelDetails: Type.Optional(
      Type.Object({ weight: Type.Optional(Weight) }, { description: 'The weight, as in a shipment.' }),
    ),
    ...schedule,
  },
  { title: 'RateRequest', description: '`weight` or `parcelDetails.weight`; `weight` is used when both are present.' },
);
export type RateRequest = Static<typeof RateRequest>;

const Rate = Closed(
  {
    price: Euros({ description: 'The price that a shipment would be charged.' }),
    currency: Type.Unsafe<'EUR'>({ type: 'string', const: 'EUR', description: 'Always `EUR`.' }),
    weightInKg: Type.Number({ description: 'The weight of the request.', examples: [2.5] }),
    minimumPrice: Euros({ description: 'The account’s minimum price.' }),
    pricePerKg: Nullable(Euros({ description: 'The account’s flat price for a parcel of up to 4 kg.' })),
    pricingModel: OneOf(PRICING_MODELS, { description: 'The rule that gave the price.' }),
    scheduledDelivery: Nullable(
      Closed(
        {
          date: Type.String({ format: 'date', description: 'The local date.', examples: ['2030-05-20'] }),
          timeSlot: Type.String({ description: 'The slot’s label.', examples: ['14h-16h'] }),
          slotId: Nullable(Type.String({ description: 'Of the account’s slot; null for free text.' })),
        },
        { title: 'RateSchedule', description: 'Null for an express shipment.' },
      ),
    ),
  },
  { title: 'Rate', description: 'The price of a parcel.' },
);

export const RateAnswer = Closed({ success: Success, rate: Rate });
export type RateAnswer = Static<typeof RateAnswer>;
