import { LANGUAGES, MESSAGE_KINDS, type MessageKind, OPTIONAL_MESSAGES, SHIPMENT_STATUSES } from '@navette/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isGsm } from '../../adapters/sms/gsm-alphabet.ts';
import { readSignedReference } from '../shipments/index.ts';
import { readLocale } from './announced-shipments.ts';
import { composeMessage, type Occasion, type ShipmentToAnnounce } from './compose-message.ts';
import { dueMessages, isUpToDate, type ShipmentFacts } from './due-messages.ts';
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
  language: null,
  shop: { email: null, phone: null },
  slotStartsAt: null,
  slotEndsAt: null,
  timeSlot: null,
  delivery: null,
  pickupAddress: { location: null, street: '1 rue de Rivoli', city: 'Paris', postalCode: '75001', country: 'France' },
  deliveryAddress: {
    ...{ recipientName: 'Camille <b>Durand</b>', street: '8 avenue de l’Opéra', city: 'Paris', postalCode: '75001' },
    ...{ country: 'France', phoneNumber: '06 12 34 56 78', email: 'camille@example.org', coordinates: null },
  },
  collectionContact: null,
};
const scheduled = {
  ...express,
  isExpress: false,
  slotStartsAt: new Date('2026-03-04T13:00:00Z'),
  slotEndsAt: new Date('2026-03-04T15:00:00Z'),
  timeSlot: '14h-16h',
};
const collection = {
  ...express,
  isCollection: true,
  collectionContact: { phoneNumber: '+33698765432', email: 'lea@example.org', name: 'Léa' },
};
const compose = (kind: MessageKind, shipment: ShipmentToAnnounce = express, occasion: Occasion = {}) =>
  composeMessage(kind, shipment, settings, occasion);
const tokenIn = (text: string) => /\/t\/([\w-]+)/.exec(text)?.[1] ?? '';

describe('messages are due', () => {
  const express: ShipmentFacts = {
    status: 'created',
    initialStatus: 'created',
    isCollection: false,
    hasSlot: false,
    isAnnounced: true,
    wanted: new Set(OPTIONAL_MESSAGES),
  };
  const scheduled: ShipmentFacts = { ...express, initialStatus: 'programmed', hasSlot: true };
  const recipient = ['recipient-sms', 'recipient-email'];

  test('to the recipient of an express shipment at its creation, of any other at its assignment', () => {
    expect(dueMessages('created', express)).toEqual(recipient);
    expect(dueMessages('created', scheduled)).toEqual([]); // after its activation, or after its driver abandoned it
    expect(dueMessages('assigned', { ...scheduled, status: 'assigned' })).toEqual(recipient);
  });

  test('when a slot is booked, unless a driver has it by then; without a slot there is nothing to announce', () => {
    expect(dueMessages('programmed', { ...scheduled, status: 'programmed' })).toEqual(['booked-email']);
    expect(dueMessages('programmed', { ...scheduled, status: 'assigned' })).toEqual([]);
    expect(dueMessages('programmed', { ...scheduled, status: 'programmed', hasSlot: false })).toEqual([]);
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

  test('about a delivery, and about the cancellation of a parcel that somebody expects', () => {
    expect(dueMessages('delivered', { ...express, status: 'delivered' })).toEqual(['delivered-email']);
    expect(dueMessages('cancelled', { ...express, status: 'cancelled' })).toEqual(['cancelled-email']);
    expect(dueMessages('cancelled', { ...express, status: 'cancelled', isAnnounced: false })).toEqual([]);
  });

  test('about an end only, once there is one, and to a contact only before the pickup', () => {
    for (const status of ['cancelled', 'delivered'] as const)
      expect(dueMessages('assigned', { ...express, isCollection: true, status })).toEqual([]);
    expect(dueMessages('assigned', { ...express, isCollection: true, status: 'picked_up' })).toEqual(recipient);
    expect(MESSAGE_KINDS.filter((kind) => isUpToDate(kind, 'cancelled'))).toEqual([
      'delivered-email',
      'cancelled-email',
    ]);
    expect(SHIPMENT_STATUSES.filter((status) => isUpToDate('soon-sms', status))).toEqual(['in_transit']);
  });

  test('in no case if the merchant switched them off, except those that the contract promises', () => {
    const due = SHIPMENT_STATUSES.flatMap((status) => dueMessages(status, { ...scheduled, status, wanted: new Set() }));
    expect(due).toEqual(recipient);
  });

  test('not after a pickup or a departure: those about the next stop are not caused by a change', () => {
    for (const status of ['picked_up', 'in_transit'] as const)
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
    ['shortly before the arrival', compose('soon-sms', express, { minutes: 10 })],
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
    const names = fc.string({ unit: fc.constantFrom(...Array.from('aZéçôœ’ -&')), minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(names, (merchantName) => {
        for (const language of [null, ...LANGUAGES]) {
          for (const shipment of [express, scheduled]) {
            for (const kind of ['recipient-sms', 'soon-sms'] as const) {
              const { body, segments } = compose(kind, { ...shipment, merchantName, language }, { minutes: 10 });
              expect(segments).toBe(1);
              expect(tokenIn(body)).toHaveLength(26);
            }
          }
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
    for (const kind of MESSAGE_KINDS.filter((one) => one.endsWith('email'))) {
      const { html, body } = compose(kind, collection);
      expect([...(html ?? '').matchAll(/src="([^"]*)"/g)].every(([, source]) => source?.startsWith('cid:'))).toBe(true);
      expect(tokenIn(body)).toHaveLength(26);
      expect(tokenIn(html ?? '')).toBe(tokenIn(body));
    }
  });

  test('about a booked slot, a delivery or a cancellation of a collection goes to its contact, without the code', () => {
    for (const kind of ['booked-email', 'delivered-email', 'cancelled-email'] as const) {
      const [toContact, toRecipient] = [compose(kind, collection), compose(kind)];
      expect([toContact.recipient, toRecipient.recipient]).toEqual(['lea@example.org', 'camille@example.org']);
      expect(readSignedReference(settings.linkSecrets, 'collect', tokenIn(toContact.body))).toBe('5N4MPK3S3M');
      expect(readSignedReference(settings.linkSecrets, 'track', tokenIn(toRecipient.body))).toBe('5N4MPK3S3M');
    }
    expect(compose('next-email', collection).recipient).toBe('camille@example.org'); // the workshop gives the code
  });

  test('about the next stop shows the expected window, where there is one', () => {
    const arrival = { from: new Date('2026-03-04T13:35:00Z'), until: new Date('2026-03-04T13:50:00Z') };
    expect(compose('next-email', express, { arrival }).body).toContain('Arrivée estimée : 14:35–14:50');
    expect(compose('next-email', express, { arrival: null }).body).not.toContain('estimée');
  });

  test('about a delivery says how it was handed over, and names nobody who signed', () => {
    const at = new Date('2026-03-04T14:27:00Z');
    const delivered = { at, isConfirmedByOperator: false, hasPhoto: true, signer: 'neighbour' as const };
    const { body } = compose('delivered-email', { ...express, delivery: delivered });
    expect(body).toContain('Livré : mercredi 4 mars à 15:27');
    expect(body).toContain(
      'Le code de livraison a été donné au livreur. Un voisin a signé à la livraison. Le livreur a pris une photo.',
    );
    const byOperator = { ...delivered, isConfirmedByOperator: true, hasPhoto: false, signer: null };
    expect(compose('delivered-email', { ...express, delivery: byOperator }).body).toMatch(
      /La livraison a été confirmée par l’opérateur de livraison\.\n/,
    );
  });

  test('names the ways to reach the shop that the merchant gave', () => {
    const shop = { email: 'bonjour@fleurs.example', phone: '01 23 45 67 89' };
    expect(compose('cancelled-email', { ...express, shop }).body).toContain(
      'Contactez Atelier Zoé (bonjour@fleurs.example, 01\u00a023\u00a045\u00a067\u00a089).',
    );
    expect(compose('cancelled-email').body).toContain('Contactez Atelier Zoé.');
  });
});

describe('the language of a message', () => {
  test.each([
    ['en', 'en'],
    ['en-GB', 'en'],
    ['EN_us', 'en'],
    ['fr-CA', 'fr'],
    ['de', null],
    ['english', null],
    ['', null],
    [null, null],
  ])('of the locale %j is %j', (locale, language) => {
    expect(readLocale(locale)).toBe(language);
  });

  test('applies to every text, and the link opens the page in it', () => {
    for (const kind of MESSAGE_KINDS) {
      const inLanguage = (language: ShipmentToAnnounce['language']) => {
        const shipment = { ...collection, ...scheduled, isCollection: true, language };
        return compose(kind, { ...shipment, collectionContact: collection.collectionContact }, { minutes: 10 });
      };
      const [english, french, nobodyChose] = [inLanguage('en'), inLanguage('fr'), inLanguage(null)];
      expect(english.body).toMatch(/\/t\/[\w-]{26}\?lang=en\b/);
      expect(french.body.replaceAll('?lang=fr', '')).toBe(nobodyChose.body);
      expect(nobodyChose.body).not.toContain('?lang=');
      expect(english.body).toMatch(/\b(the|your|to|parcel)\b/);
      expect(english.body).not.toMatch(/\b(colis|livreur|votre|vous)\b/i);
      expect(english.html?.includes('<html lang="en">') ?? true).toBe(true);
    }
  });

  test('in English writes days and hours in English', () => {
    const english = { ...scheduled, language: 'en' } as const;
    expect(compose('recipient-sms', english).body).toMatch(
      /^Your parcel from Atelier Zoé arrives Wed 4 Mar, 14:00-16:00\. /,
    );
    expect(compose('booked-email', english).body).toContain('Delivery expected: Wednesday 4 March, 14:00\u201116:00');
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
