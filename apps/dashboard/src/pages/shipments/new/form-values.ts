import type { DashboardPart } from '@navette/contract';

/**
 * What is typed, under the names that a creation has: the server's field errors find their input by their path. The
 * choices that a creation does not know are `express` and `otherPickup`.
 */
export interface FormValues {
  isCollection: boolean;
  deliveryAddress: Record<'recipientName' | 'street' | 'postalCode' | 'city' | 'phoneNumber' | 'email', string>;
  parcelDetails: { weight: string; nature: string };
  express: boolean;
  scheduledDate: string;
  timeSlot: string;
  otherPickup: boolean;
  pickupAddress: Record<'street' | 'postalCode' | 'city', string>;
  collectionContact: Record<'name' | 'phoneNumber' | 'email', string>;
  externalReference: Record<'orderId' | 'shopDomain', string>;
  groupReference: string;
  notes: string;
}

type ShipmentRequest = DashboardPart<'createShipment', 'body'>;

export const emptyForm = (): FormValues => ({
  isCollection: false,
  deliveryAddress: { recipientName: '', street: '', postalCode: '', city: '', phoneNumber: '', email: '' },
  parcelDetails: { weight: '', nature: '' },
  express: true,
  scheduledDate: '',
  timeSlot: '',
  otherPickup: false,
  pickupAddress: { street: '', postalCode: '', city: '' },
  collectionContact: { name: '', phoneNumber: '', email: '' },
  externalReference: { orderId: '', shopDomain: '' },
  groupReference: '',
  notes: '',
});

/**
 * As the API wants it. What was left empty is left out, so that the server says what is missing; what belongs to a
 * choice that was not made stays behind.
 */
export function asRequest(values: FormValues): ShipmentRequest {
  const { isCollection, express, otherPickup, parcelDetails } = values;
  const weight = asKilograms(parcelDetails.weight);
  return {
    deliveryAddress: filled(values.deliveryAddress),
    parcelDetails: { ...filled({ nature: parcelDetails.nature }), ...(weight === null ? {} : { weight }) },
    ...(express ? {} : filled({ scheduledDate: values.scheduledDate, timeSlot: values.timeSlot })),
    ...(isCollection || otherPickup ? { pickupAddress: filled(values.pickupAddress) } : {}),
    ...(isCollection ? { isCollection, collectionContact: filled(values.collectionContact) } : {}),
    externalReference: filled(values.externalReference),
    ...filled({ groupReference: values.groupReference, notes: values.notes }),
  } as unknown as ShipmentRequest; // what is missing is for the server to say
}

/** What the price depends on, once there is enough of it. */
export function asQuoteRequest(values: FormValues): DashboardPart<'quoteShipment', 'body'> | null {
  const weight = asKilograms(values.parcelDetails.weight);
  if (weight === null || weight <= 0) return null;
  if (values.express) return { weight };
  const { scheduledDate, timeSlot } = values;
  return scheduledDate && timeSlot.trim() ? { weight, scheduledDate, timeSlot: timeSlot.trim() } : null;
}

export const missingForQuote = ({ parcelDetails }: FormValues): 'weight' | 'slot' =>
  (asKilograms(parcelDetails.weight) ?? 0) > 0 ? 'slot' : 'weight';

/** What a collection needs of its contact and was left empty, by path. */
export const missingContact = ({ isCollection, collectionContact: contact }: FormValues): string[] =>
  isCollection
    ? (['phoneNumber', 'email'] as const)
        .filter((field) => contact[field].trim() === '')
        .map((field) => `collectionContact.${field}`)
    : [];

/** With a comma or a point, typed or pasted; null where it is no number. */
function asKilograms(text: string): number | null {
  return /^\d*[.,]?\d+$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : null;
}

const filled = (texts: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([field, text]) => (text.trim() === '' ? [] : [[field, text.trim()]])),
  );
