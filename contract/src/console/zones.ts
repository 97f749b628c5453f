import Type, { type Static } from 'typebox';
import { Closed, Id, Instant, Nullable, OneOf, Success, Text } from '../schema-kit.ts';
import { defineConsoleEndpoints } from './endpoint.ts';

const Place = Type.Object({
  latitude: Type.Number({ minimum: -85, maximum: 85 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
});

const ZoneShape = Type.Object(
  {
    kind: OneOf(['circle', 'polygon'] as const),
    centre: Type.Optional(Place),
    radiusMetres: Type.Optional(Type.Integer({ minimum: 50, maximum: 100_000 })),
    corners: Type.Optional(Type.Array(Place, { minItems: 3, maxItems: 100 })),
  },
  { description: 'A circle has `centre` and `radiusMetres`, a polygon `corners`.' },
);
export type ZoneShape = Static<typeof ZoneShape>;

const Corners = Type.Array(Closed({ latitude: Type.Number(), longitude: Type.Number() }));

const Zone = Closed(
  {
    id: Id('The zone.'),
    corners: Corners,
    centre: Nullable(Closed({ latitude: Type.Number(), longitude: Type.Number() })),
    radiusMetres: Nullable(Type.Integer()),
    reason: Type.String(),
    message: Nullable(Type.String({ description: 'To recipients.' })),
    createdAt: Instant(),
    createdBy: Type.String(),
    endsAt: Instant(),
    waiting: Type.Integer({ description: 'Searches that wait for its end.' }),
  },
  { title: 'Zone' },
);
export type Zone = Static<typeof Zone>;

const endsAt = Instant({ description: 'At most seven days from now.' });

export const zoneEndpoints = defineConsoleEndpoints({
  listZones: {
    section: 'Zones',
    summary: 'List the zones in which no run is offered',
    description: 'Those that are neither lifted nor over.',
    answers: { 200: Closed({ success: Success, zones: Type.Array(Zone) }) },
    needs: 'dispatch',
  },
  previewZone: {
    section: 'Zones',
    summary: 'Read what a zone would affect',
    description: 'Changes nothing.',
    body: Type.Object({ shape: ZoneShape, endsAt }),
    answers: {
      200: Closed({
        success: Success,
        corners: Corners,
        searches: Type.Integer({ description: 'Searches that would wait at once.' }),
        recipients: Type.Integer({ description: 'Recipients of these who have had no such message.' }),
        later: Type.Integer({ description: 'Shipments whose search would start before the end, and wait then.' }),
        withDriver: Type.Integer({ description: 'Shipments that have a driver and are not affected.' }),
      }),
    },
    needs: 'dispatch',
  },
  createZone: {
    section: 'Zones',
    summary: 'Stop offers in a zone',
    description:
      'A search waits while the pickup or the place of delivery lies in a zone. With `message`, each recipient gets one e-mail when the search of their parcel begins to wait.',
    body: Type.Object({
      id: Type.String({
        maxLength: 36,
        description: 'A UUID chosen by the caller: the same request again changes nothing.',
      }),
      shape: ZoneShape,
      endsAt,
      reason: Text({ maxLength: 300, description: 'For colleagues and the log of acts.' }),
      message: Type.Optional(Text({ maxLength: 500, description: 'To the recipients concerned.' })),
    }),
    answers: { 200: Closed({ success: Success, zone: Zone }) },
    needs: 'dispatch',
  },
  liftZone: {
    section: 'Zones',
    summary: 'Lift a zone before its end',
    description: 'The searches that wait for it go on. A zone that was lifted already stays so.',
    params: Type.Object({ id: Id('The zone.') }),
    answers: { 200: Closed({ success: Success }) },
    needs: 'dispatch',
    findsOne: true,
  },
});
