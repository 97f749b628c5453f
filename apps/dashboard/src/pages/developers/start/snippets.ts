/** Values of the account that are inserted into the examples. */
export interface Values {
  baseUrl: string;
  clientId: string;
  key: string;
  slot: string;
  /** A local date, YYYY-MM-DD. */
  date: string;
  idempotencyKey: string;
}

export const LANGUAGES = ['curl', 'TypeScript'] as const;
export type ExampleLanguage = (typeof LANGUAGES)[number];

const shipment = ({ slot, date }: Values) => ({
  deliveryAddress: {
    recipientName: 'Camille Durand',
    street: '8 avenue de l’Opéra',
    city: 'Paris',
    postalCode: '75001',
    phoneNumber: '+33612345678',
    email: 'camille.durand@example.org',
  },
  parcelDetails: { weight: 1.2, nature: 'Livres' },
  scheduledDate: date,
  timeSlot: slot,
  externalReference: { orderId: 'ESSAI-1' },
});

export const testSnippet: Record<ExampleLanguage, (values: Values) => string> = {
  curl: ({ baseUrl, clientId, key }) =>
    `curl -s ${inShell(`${baseUrl}/shipping/auth/test`)} \\
  -H ${inShell(`Authorization: Bearer ${key}`)} \\
  -H ${inShell(`X-Client-Id: ${clientId}`)}`,
  TypeScript: ({ baseUrl, clientId, key }) =>
    `const answer = await fetch(${inScript(`${baseUrl}/shipping/auth/test`)}, {
  headers: {
    Authorization: ${inScript(`Bearer ${key}`)},
    'X-Client-Id': ${inScript(clientId)},
  },
});
console.log(answer.status, await answer.json());`,
};

export const shipmentSnippet: Record<ExampleLanguage, (values: Values) => string> = {
  curl: (values) =>
    `curl -s ${inShell(`${values.baseUrl}/shipping`)} \\
  -H ${inShell(`Authorization: Bearer ${values.key}`)} \\
  -H ${inShell(`X-Client-Id: ${values.clientId}`)} \\
  -H ${inShell(`X-Idempotency-Key: ${values.idempotencyKey}`)} \\
  -H 'Content-Type: application/json' \\
  -d ${inShell(JSON.stringify(shipment(values), null, 2))}`,
  TypeScript: (values) =>
    `const answer = await fetch(${inScript(`${values.baseUrl}/shipping`)}, {
  method: 'POST',
  headers: {
    Authorization: ${inScript(`Bearer ${values.key}`)},
    'X-Client-Id': ${inScript(values.clientId)},
    'X-Idempotency-Key': ${inScript(values.idempotencyKey)},
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${indent(JSON.stringify(shipment(values), null, 2))}),
});
console.log(answer.status, await answer.json());`,
};

/** Quotes a text as one shell word, since a slot's label may contain any character. */
const inShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const inScript = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const indent = (text: string) => text.replaceAll('\n', '\n  ');
