import { SHIPMENT_STATUSES } from '@navette/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isGsm } from '../../adapters/sms/gsm-alphabet.ts';
import { readSignedReference } from '../shipments/index.ts';
import { composeMessage, type ShipmentToAnnounce } from './compose-message.ts';
import { dueMessages, isUpToDate, MESSAGE_KINDS, type MessageKind } from './due-messages.ts';
import { maskContact } from './mask-contact.ts';

const settings = {
  linkSecrets: ['a-secret-of-32-characters-or-more'],
  publicUrl: 'https://navette.example',
  smsCountries: ['FR', 'GP', 'BE'],
  timeZone: 'Europe/Paris',
};

const express: ShipmentToAnnounce = {
  referenceNumber: '5N4MPK3S3M',
  merchantName: 'Atelier Zoé',
  isExpress: true,
  isCollection: false,
  slotStartsAt: null,
  timeSlot: null,
  pickupAddress: { location: null, street: '1 rue de Rivoli', city: 'Paris', postalCode: '75001', country: 'France' },
  deliveryAddress: {
    ...{ recipientName: 'Camille <b>Durand</b>', street: '8 avenue de l’Opéra', city: 'Paris', postalCode: '75001' },
    ...{ country: 'France', phoneNumber: '06 12 34 56 78', email: 'camille@example.org', coordinates: null },
  },
  collectionContact: null,
};
const scheduled = { ...express, isExpress: false, slotStartsAt: new Date('2026-03-04T13:00:00Z'), timeSlot: '14h-16h' };
const collection = {
  ...express,
  isCollection: true,
  collectionContact: { phoneNumber: '+33698765432', email: 'lea@example.org', name: 'Léa' },
};
const compose = (kind: MessageKind, shipment = express) => composeMessage(kind, shipment, settings);
const tokenIn = (text: string) => /\/t\/([\w-]+)/.exec(text)?.[1] ?? '';

describe('messages are due', () => {
  const express = { status: 'created', initialStatus: 'created', isCollection: false } as const;
  const scheduled = { status: 'created', initialStatus: 'programmed', isCollection: false } as const;
  const recipient = ['recipient-sms', 'recipient-email'];

  test('to the recipient of an express shipment at its creation, of any other at its assignment and not before', () => {
    expect(dueMessages('created', express)).toEqual(recipient);
    expect(dueMessages('programmed', { ...scheduled, status: 'programmed' })).toEqual([]);
    expect(dueMessages('created', scheduled)).toEqual([]); // after its activation, or after its driver abandoned it
    expect(dueMessages('assigned', { ...scheduled, status: 'assigned' })).toEqual(recipient);
  });

  test('to the contact of a collection at its assignment', () => {
    const collection = { ...express, isCollection: true };
    expect(dueMessages('created', collection)).toEqual(recipient);
    expect(dueMessages('assigned', { ...collection, status: 'assigned' })).toEqual([
      ...recipient,
      'collection-sms',
      'collection-email',
    ]);
  });

  test('to nobody about a parcel that was delivered or cancelled, nor to a contact after the pickup', () => {
    for (const status of ['cancelled', 'delivered'] as const)
      expect(dueMessages('assigned', { ...express, isCollection: true, status })).toEqual([]);
    expect(dueMessages('assigned', { ...express, isCollection: true, status: 'picked_up' })).toEqual(recipient);
    expect(MESSAGE_KINDS.filter((kind) => isUpToDate(kind, 'cancelled'))).toEqual([]);
  });

  test('only after a creation or an assignment', () => {
    for (const status of SHIPMENT_STATUSES.filter((one) => one !== 'created' && one !== 'assigned'))
      expect(dueMessages(status, { ...express, status })).toEqual([]);
  });
});

describe('an SMS', () => {
  test.each([
    ['express', compose('recipient-sms')],
    ['scheduled', compose('recipient-sms', scheduled)],
    ['special request', compose('recipient-sms', { ...express, isExpress: false })],
    ['the workshop of a collection', compose('recipient-sms', collection)],
    ['the contact of a collection', compose('collection-sms', collection)],
  ])('%s: one segment of GSM letters, ending in its link', (_case, { body, segments, channel, status }) => {
    expect({ segments, channel, status }).toEqual({ segments: 1, channel: 'sms', status: 'pending' });
    expect(isGsm(body)).toBe(true);
    expect(body).toMatch(/ : https:\/\/navette\.example\/t\/[\w-]{26}$/);
  });

  test('names the shop and the slot', () => {
    expect(compose('recipient-sms').body).toMatch(/^Atelier Zoé vous envoie un colis en express\. /);
    expect(compose('recipient-sms', scheduled).body).toMatch(
      /^Votre colis Atelier Zoé arrive mer\. 4 mars, 14h-16h\. /,
    );
  });

  test('has the link with the code for the recipient, and another link for the contact of a collection', () => {
    const [workshop, contact] = [compose('recipient-sms', collection), compose('collection-sms', collection)];
    expect(readSignedReference(settings.linkSecrets, 'track', tokenIn(workshop.body))).toBe('5N4MPK3S3M');
    expect(readSignedReference(settings.linkSecrets, 'track', tokenIn(contact.body))).toBe(null);
    expect(readSignedReference(settings.linkSecrets, 'collect', tokenIn(contact.body))).toBe('5N4MPK3S3M');
    expect(contact.recipient).toBe('+33698765432');
    expect(workshop.recipient).toBe('+33612345678');
  });

  test('fits one segment for any name in Latin letters, and always contains the link', () => {
    const names = fc.string({ unit: fc.constantFrom(...Array.from('aZéçôœ’ -&€')), minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(names, (merchantName) => {
        for (const shipment of [express, scheduled]) {
          const { body, segments } = compose('recipient-sms', { ...shipment, merchantName });
          expect(segments).toBe(1);
          expect(tokenIn(body)).toHaveLength(26);
        }
      }),
    );
  });

  test('keeps a name in another script, at the cost of more segments', () => {
    const { body, segments } = compose('recipient-sms', { ...express, merchantName: '北京花店' });
    expect(body).toContain('北京花店');
    expect(segments).toBeGreaterThan(1);
  });

  test.each([
    ['0470 12 34 56', 'Belgique', '1000', '+32470123456'],
    ['06 90 12 34 56', 'France', '97110', '+590690123456'],
  ])('to %s in %s goes to a number of that country', (phoneNumber, country, postalCode, recipient) => {
    const deliveryAddress = { ...express.deliveryAddress, phoneNumber, country, postalCode };
    expect(compose('recipient-sms', { ...express, deliveryAddress })).toMatchObject({ recipient, status: 'pending' });
  });

  test('to the contact of a collection uses the country of the pickup address', () => {
    const contact = { phoneNumber: '0470 12 34 56', email: 'lea@example.org', name: 'Léa' };
    const pickupAddress = { ...express.pickupAddress, country: 'Belgique', postalCode: '1000' };
    const abroad = { ...collection, collectionContact: contact, pickupAddress };
    expect(compose('collection-sms', abroad).recipient).toBe('+32470123456');
  });

  test('to an invalid number is stored as failed, so that the operator sees it', () => {
    const shipment = { ...express, deliveryAddress: { ...express.deliveryAddress, phoneNumber: 'sonner deux fois' } };
    expect(compose('recipient-sms', shipment)).toMatchObject({ status: 'failed', failure: 'NUMBER_NOT_UNDERSTOOD' });
  });
});

describe('an e-mail', () => {
  test('escapes the names of merchants and people', () => {
    const merchantName = `<script>alert("1")</script> & 'fils'`;
    const { html, body } = compose('collection-email', { ...collection, merchantName });
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;fils&#39;');
    expect(body).toContain(merchantName);
  });

  test('loads nothing from the network, and has the same content as text', () => {
    for (const kind of ['recipient-email', 'collection-email'] as const) {
      const { html, body } = compose(kind, collection);
      expect([...(html ?? '').matchAll(/src="([^"]*)"/g)].every(([, source]) => source?.startsWith('cid:'))).toBe(true);
      expect(tokenIn(body)).toBe(tokenIn(html ?? ''));
    }
  });
});

describe('a contact', () => {
  test.each([
    ['+33612345678', '+33•••••678'],
    ['1234', '•••••'],
    ['camille.durand@example.org', 'c•••@•••.org'],
  ])('%s is shown as %s', (contact, masked) => {
    expect(maskContact(contact)).toBe(masked);
  });
});
