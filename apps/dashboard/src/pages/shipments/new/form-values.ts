import type { DashboardPart } from '@navette/contract';
import type { ShipmentDetail } from '../shipments-queries.ts';

/**
 * Values of the form, named like the fields of the request, so that field errors of the server match their inputs by
 * path. `express` and `otherPickup` exist in the form only.
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
  /** Parts of the original, of a saved address or of a suggestion that the form does not show. */
  kept: { deliveryAddress?: KeptPlace; pickupAddress?: KeptPlace; metadata?: Record<string, unknown> };
}

/** The place that country and coordinates belong to. */
export interface KeptPlace {
  street: string;
  postalCode: string;
  city: string;
  country?: string | undefined;
  coordinates?: { latitude: number; longitude: number } | null | undefined;
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
  kept: {},
});

/** A form with the fields of a shipment that another one for the same person shares: not its order, date and slot. */
export const copyForm = (of: ShipmentDetail['shipment']): FormValues => {
  const { recipientName, street, postalCode, city, phoneNumber, email } = of.deliveryAddress;
  const { pickupAddress: pickup, collectionContact: contact, parcelDetails: parcel } = of;
  const from = { street: pickup.street, postalCode: pickup.postalCode, city: pickup.city };
  return {
    ...emptyForm(),
    isCollection: of.isCollection,
    deliveryAddress: { recipientName, street, postalCode, city, phoneNumber, email },
    parcelDetails: { weight: String(parcel.weight), nature: parcel.nature },
    express: of.scheduledDelivery.date === null,
    ...(contact && {
      pickupAddress: from,
      collectionContact: { name: contact.name ?? '', phoneNumber: contact.phoneNumber, email: contact.email },
    }),
    groupReference: of.groupReference ?? '',
    notes: of.notes ?? '',
    kept: { deliveryAddress: of.deliveryAddress, ...(contact && { pickupAddress: pickup }) },
  };
};

/** The fields of a saved address. */
export const addressForm = (
  saved: KeptPlace & FormValues['deliveryAddress'],
): Pick<FormValues, 'deliveryAddress' | 'kept'> => {
  const { recipientName, street, postalCode, city, phoneNumber, email } = saved;
  return {
    deliveryAddress: { recipientName, street, postalCode, city, phoneNumber, email },
    kept: { deliveryAddress: saved },
  };
};

/**
 * The request body. Omits empty fields, so that the server reports them as missing, and fields of options that were not
 * chosen.
 */
export function toRequest(values: FormValues): ShipmentRequest {
  const { isCollection, express, otherPickup, parcelDetails } = values;
  const weight = parseKilograms(parcelDetails.weight);
  return {
    deliveryAddress: withKept(values.deliveryAddress, values.kept.deliveryAddress),
    parcelDetails: { ...withoutEmpty({ nature: parcelDetails.nature }), ...(weight === null ? {} : { weight }) },
    ...(express ? {} : withoutEmpty({ scheduledDate: values.scheduledDate, timeSlot: values.timeSlot })),
    ...(isCollection || otherPickup
      ? { pickupAddress: withKept(values.pickupAddress, values.kept.pickupAddress) }
      : {}),
    ...(isCollection ? { isCollection, collectionContact: withoutEmpty(values.collectionContact) } : {}),
    externalReference: withoutEmpty(values.externalReference),
    ...withoutEmpty({ groupReference: values.groupReference, notes: values.notes }),
    ...(values.kept.metadata && { metadata: values.kept.metadata }),
  } as unknown as ShipmentRequest; // the server validates it
}

/** The body of a quote request; null while weight or time slot are missing. */
export function toQuoteRequest(values: FormValues): DashboardPart<'quoteShipment', 'body'> | null {
  const weight = parseKilograms(values.parcelDetails.weight);
  if (weight === null || weight <= 0) return null;
  if (values.express) return { weight };
  const { scheduledDate, timeSlot } = values;
  return scheduledDate && timeSlot.trim() ? { weight, scheduledDate, timeSlot: timeSlot.trim() } : null;
}

export const missingForQuote = ({ parcelDetails }: FormValues): 'weight' | 'slot' =>
  (parseKilograms(parcelDetails.weight) ?? 0) > 0 ? 'slot' : 'weight';

/** Paths of the contact fields that a collection requires and that are empty. */
export const missingContact = ({ isCollection, collectionContact: contact }: FormValues): string[] =>
  isCollection
    ? (['phoneNumber', 'email'] as const)
        .filter((field) => contact[field].trim() === '')
        .map((field) => `collectionContact.${field}`)
    : [];

/** Text that is not a number is sent as no weight, which the server reports as missing. */
export const isWeightUnreadable = ({ parcelDetails: { weight } }: FormValues): boolean =>
  weight.trim() !== '' && parseKilograms(weight) === null;

/** Accepts a decimal comma or point. Null if the text is not a number. */
function parseKilograms(text: string): number | null {
  return /^\d*[.,]?\d+$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : null;
}

const withoutEmpty = (texts: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([field, text]) => (text.trim() === '' ? [] : [[field, text.trim()]])),
  );

/** The country goes with town and postal code, the coordinates also with the street. */
function withKept(typed: Record<'street' | 'postalCode' | 'city', string>, kept: KeptPlace | undefined) {
  const isSame = (field: 'street' | 'postalCode' | 'city') => kept?.[field].trim() === typed[field].trim();
  const isTown = isSame('postalCode') && isSame('city');
  const { country, coordinates } = kept ?? {};
  return {
    ...withoutEmpty(typed),
    ...(isTown && country && { country }),
    ...(isTown && isSame('street') && coordinates && { coordinates }),
  };
}
