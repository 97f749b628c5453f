import type { DashboardPart, Recurring, RecurringContent } from '@navette/contract';
import { localDate } from '@navette/ui/formats';
import { copyForm, emptyForm, type FormValues, toRequest } from '../shipments/new/form-values.ts';
import type { ShipmentDetail } from '../shipments/shipments-queries.ts';

/** The rule in the form; the slot belongs to the shipment's values. */
export interface RuleValues extends Record<string, unknown> {
  /** 1 to 7, as texts: values of chips. */
  weekdays: string[];
  startsOn: string;
  endsOn: string;
}

export interface Values {
  rule: RuleValues;
  shipment: FormValues;
}

const weekdayOf = (day: string) => String(new Date(`${day}T00:00:00Z`).getUTCDay() || 7);

export const newValues = (): Values => ({
  rule: { weekdays: [], startsOn: localDate(new Date()), endsOn: '' },
  shipment: { ...emptyForm(), express: false },
});

/** "Repeat this": the same weekday and slot, from today on. */
export function repeatShipment(shipment: ShipmentDetail['shipment']): Values {
  const { date, timeSlot } = shipment.scheduledDelivery;
  const today = localDate(new Date());
  return {
    rule: { weekdays: [weekdayOf(date ?? today)], startsOn: today, endsOn: '' },
    shipment: { ...copyForm(shipment), express: false, timeSlot: timeSlot ?? '' },
  };
}

export function valuesOf({ weekdays, startsOn, endsOn, timeSlot, shipment }: Recurring): Values {
  const rule = { weekdays: weekdays.map(String), startsOn, endsOn: endsOn ?? '' };
  return { rule, shipment: { ...(shipment ? contentForm(shipment) : emptyForm()), express: false, timeSlot } };
}

function contentForm(content: RecurringContent): FormValues {
  const empty = emptyForm();
  const { deliveryAddress, parcelDetails, pickupAddress, collectionContact, externalReference } = content;
  const isCollection = content.isCollection === true;
  const pick = <T extends Record<string, string>>(fields: T, from: object | undefined): T =>
    Object.fromEntries(
      Object.entries(fields).map(([field, none]) => [field, (from as Record<string, string>)?.[field] ?? none]),
    ) as T;
  return {
    ...empty,
    isCollection,
    deliveryAddress: pick(empty.deliveryAddress, deliveryAddress),
    parcelDetails: { weight: String(parcelDetails.weight), nature: parcelDetails.nature },
    otherPickup: !isCollection && pickupAddress !== undefined,
    pickupAddress: pick(empty.pickupAddress, pickupAddress),
    collectionContact: pick(empty.collectionContact, collectionContact),
    externalReference: pick(empty.externalReference, externalReference),
    groupReference: content.groupReference ?? '',
    notes: content.notes ?? '',
    kept: {
      deliveryAddress,
      ...(pickupAddress && { pickupAddress }),
      ...(content.metadata && { metadata: content.metadata }),
    },
  };
}

export function toBody({ rule, shipment }: Values): DashboardPart<'createRecurring', 'body'> {
  const { scheduledDate: _date, timeSlot = '', ...content } = toRequest(shipment);
  const { weekdays, startsOn, endsOn } = rule;
  return { weekdays: weekdays.map(Number), timeSlot, startsOn, endsOn: endsOn || null, shipment: content };
}
