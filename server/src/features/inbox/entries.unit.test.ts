import { INBOX_KINDS, type InboxKind } from '@navette/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inboxEntries } from './entries.ts';
import { type InboxFacts, NO_FACTS } from './facts.ts';

const SETTINGS = { nearlyLateMinutes: 30, driverSilentMinutes: 20, webhookFailingHours: 6, timeZone: 'Europe/Paris' };
const NOW = new Date('2026-03-04T14:00:00Z'); // 15:00 in Paris
const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);
const inMinutes = (minutes: number) => minutesAgo(-minutes);

const parcel = { shipmentId: 'parcel-1', reference: 'K7M2P9XW4B', accountId: 'shop-1', account: 'Atelier Zoé' };
const driver = { driverId: 'driver-1', driver: 'Ana Leroy', driverPhone: '+33611111111' };
const webhook = { webhookId: 'webhook-1', accountId: 'shop-1', account: 'Atelier Zoé', host: 'shop.example' };
const due: InboxFacts['due'][number] = {
  ...parcel,
  ...driver,
  status: 'in_transit',
  slotStartsAt: minutesAgo(120),
  estimatedDeliveryAt: inMinutes(60),
  createdAt: minutesAgo(1_000),
  destination: null,
  kmLeft: 5,
};
const express = { ...due, slotStartsAt: null, estimatedDeliveryAt: minutesAgo(60), createdAt: minutesAgo(60) };
const silent = {
  driverId: 'driver-1',
  driver: 'Ana Leroy',
  phone: '+33611111111',
  lastSeenAt: minutesAgo(20),
  parcels: 2,
};
const failing = { ...webhook, failingSince: minutesAgo(360), pausedAt: null };
const refusal = {
  ...{ accountId: 'shop-1', account: 'Atelier Zoé', priceCents: 850, balanceCents: 849 },
  ...{ firstAt: minutesAgo(90), lastAt: minutesAgo(5) },
};

const paper = { driverId: 'driver-1', driver: 'Ana Leroy', kind: 'driving_licence', expiresOn: '2026-03-16' };

const entriesOf = (facts: Partial<InboxFacts>, now = NOW) => inboxEntries({ ...NO_FACTS, ...facts }, now, SETTINGS);
const keysOf = (facts: Partial<InboxFacts>, now = NOW) => entriesOf(facts, now).map(({ key }) => key);

/** One fact of each kind that needs a person. */
const ONE_OF_EACH: Record<InboxKind, Partial<InboxFacts>> = {
  no_driver: {
    unassigned: [
      { ...parcel, waitingSince: minutesAgo(9), spentAt: minutesAgo(7), rounds: 2, asked: 3, from: 'Paris' },
    ],
  },
  no_place: {
    withoutLocation: [
      {
        ...parcel,
        status: 'created',
        createdAt: minutesAgo(3),
        missing: 'delivery',
        address: '1 rue X 99999 Nulle-Part',
      },
    ],
  },
  offers_stopped: {
    zones: [
      {
        ...{
          id: 'zone',
          reason: 'Inondation',
          message: null,
          corners: [],
          centre: null,
          radiusMetres: null,
          waiting: 4,
        },
        ...{ createdAt: minutesAgo(30).toISOString(), createdBy: 'Léa', endsAt: minutesAgo(-60).toISOString() },
      },
    ],
  },
  no_pickup_time: { withoutPickupTime: [{ ...parcel, createdAt: minutesAgo(600) }] },
  code_locked: { codeLocked: [{ ...parcel, ...driver, lockedAt: minutesAgo(4) }] },
  incident_open: {
    incidents: [
      {
        ...{ ...parcel, kind: 'recipient_absent', note: null, happenedAt: minutesAgo(6) },
        ...{ driverName: 'Ana Leroy', driverPhone: '+33611111111' },
      },
    ],
  },
  late: { due: [{ ...due, estimatedDeliveryAt: minutesAgo(12) }] },
  nearly_late: { due: [{ ...due, estimatedDeliveryAt: inMinutes(10) }] },
  driver_silent: { silentDrivers: [silent] },
  webhook_paused: { pausedWebhooks: [{ ...failing, pausedAt: minutesAgo(30) }] },
  webhook_failing: { failingWebhooks: [failing] },
  message_failed: {
    failedMessages: [
      {
        ...parcel,
        messageId: 'message-1',
        kind: 'recipient-sms',
        to: '+33•••••678',
        failure: '21614',
        createdAt: minutesAgo(8),
      },
    ],
  },
  recipient_report: { reports: [{ ...parcel, kind: 'damaged', reportedAt: minutesAgo(14) }] },
  document_expiring: { documents: [paper] },
  balance_empty: { balanceRefusals: [refusal] },
  approval_waiting: {
    approvals: [
      {
        ...{
          id: 'approval-1',
          act: 'account.credited',
          subject: 'Atelier Zoé',
          amountCents: 100_050,
          reason: 'refund',
        },
        ...{ requestedBy: 'Alex', requestedAt: minutesAgo(2), accountId: 'shop-1', account: 'Atelier Zoé' },
      },
    ],
  },
  audit_finding: { audits: [{ finishedAt: minutesAgo(500), findings: ['money adds up'], retention: [] }] },
  retention_late: { audits: [{ finishedAt: minutesAgo(500), findings: [], retention: ['codes go in time'] }] },
};

describe('each kind', () => {
  test.each([
    ['no_driver', 'shipment', 'K7M2P9XW4B', minutesAgo(7), { rounds: 2, asked: 3, from: 'Paris' }],
    ['no_place', 'shipment', 'K7M2P9XW4B', minutesAgo(3), { missing: 'delivery', address: '1 rue X 99999 Nulle-Part' }],
    ['no_pickup_time', 'account', 'Atelier Zoé', minutesAgo(600), { shipments: 1 }],
    ['code_locked', 'shipment', 'K7M2P9XW4B', minutesAgo(4), { driver: 'Ana Leroy', driverPhone: '+33611111111' }],
    ['incident_open', 'shipment', 'K7M2P9XW4B', minutesAgo(6), { incident: 'recipient_absent', driver: 'Ana Leroy' }],
    ['driver_silent', 'driver', 'Ana Leroy', minutesAgo(20), { parcels: 2, minutesSilent: 20 }],
    ['webhook_paused', 'webhook', 'shop.example', minutesAgo(30), { failingSince: minutesAgo(360).toISOString() }],
    ['webhook_failing', 'webhook', 'shop.example', minutesAgo(360), { failingSince: minutesAgo(360).toISOString() }],
    ['recipient_report', 'shipment', 'K7M2P9XW4B', minutesAgo(14), { report: 'damaged' }],
    ['message_failed', 'message', 'K7M2P9XW4B', minutesAgo(8), { failure: '21614', shipmentId: 'parcel-1' }],
    [
      'document_expiring',
      'driver',
      'Ana Leroy',
      new Date('2026-02-14T00:00:00Z'),
      { document: 'driving_licence', daysLeft: 12, more: 0 },
    ],
    ['balance_empty', 'account', 'Atelier Zoé', minutesAgo(90), { balance: 8.49, refusedPrice: 8.5 }],
    ['approval_waiting', 'approval', 'Atelier Zoé', minutesAgo(2), { amount: 1000.5, requestedBy: 'Alex' }],
    ['audit_finding', 'system', 'money adds up', minutesAgo(500), { firstFoundAt: minutesAgo(500).toISOString() }],
    ['retention_late', 'system', 'codes go in time', minutesAgo(500), { firstFoundAt: minutesAgo(500).toISOString() }],
  ] as const)('%s has its subject, its time and its reasons', (kind, type, title, since, facts) => {
    const entries = entriesOf(ONE_OF_EACH[kind]);
    expect(entries).toMatchObject([{ kind, subject: { type, title }, since, facts }]);
    expect(entries[0]?.key).toBe(`${kind}:${entries[0]?.subject.id}`);
  });

  test('late and nearly late name the driver to call, and how long', () => {
    const called = { driver: 'Ana Leroy', driverPhone: '+33611111111' };
    expect(entriesOf(ONE_OF_EACH.late)).toMatchObject([{ kind: 'late', facts: { ...called, minutesLate: 12 } }]);
    expect(entriesOf(ONE_OF_EACH.nearly_late)).toMatchObject([
      { kind: 'nearly_late', since: minutesAgo(20), facts: { ...called, minutesLeft: 10 } },
    ]);
  });

  test('has an example here', () => {
    for (const kind of Object.keys(INBOX_KINDS) as InboxKind[])
      expect(entriesOf(ONE_OF_EACH[kind]).map((entry) => entry.kind)).toEqual([kind]);
  });
});

describe('at its limit', () => {
  const ms = (instant: Date, more: number) => new Date(instant.getTime() + more);
  test.each<[name: string, facts: Partial<InboxFacts>, kinds: InboxKind[]]>([
    ['a slot that ends now is not over', { due: [{ ...due, estimatedDeliveryAt: NOW }] }, ['nearly_late']],
    ['a slot that ended a millisecond ago is', { due: [{ ...due, estimatedDeliveryAt: ms(NOW, -1) }] }, ['late']],
    [
      'a slot that ends in half an hour is nearly over',
      { due: [{ ...due, estimatedDeliveryAt: inMinutes(30) }] },
      ['nearly_late'],
    ],
    [
      'a slot that ends a millisecond later is not',
      { due: [{ ...due, estimatedDeliveryAt: ms(inMinutes(30), 1) }] },
      [],
    ],
    ['a driver one km away is near', { due: [{ ...due, estimatedDeliveryAt: inMinutes(5), kmLeft: 1 }] }, []],
    [
      'a driver further away is not',
      { due: [{ ...due, estimatedDeliveryAt: inMinutes(5), kmLeft: 1.1 }] },
      ['nearly_late'],
    ],
    [
      'a driver on the way without a position counts as near',
      { due: [{ ...due, estimatedDeliveryAt: inMinutes(5), kmLeft: null }] },
      [],
    ],
    [
      'a parcel that was not picked up is not near',
      { due: [{ ...due, estimatedDeliveryAt: inMinutes(5), status: 'assigned', kmLeft: null }] },
      ['nearly_late'],
    ],
    ['a driver is late however near', { due: [{ ...due, estimatedDeliveryAt: minutesAgo(5), kmLeft: 0 }] }, ['late']],
    ['an express parcel of today is not late', { due: [express] }, []],
    [
      'an express parcel of yesterday is',
      { due: [{ ...express, estimatedDeliveryAt: new Date('2026-03-03T22:59:59Z') }] },
      ['late'],
    ],
    [
      'an express parcel of the first second of today is not',
      { due: [{ ...express, estimatedDeliveryAt: new Date('2026-03-03T23:00:00Z') }] },
      [],
    ],
    ['a driver who is silent for the limit is listed', { silentDrivers: [silent] }, ['driver_silent']],
    [
      'a driver who was seen a millisecond later is not',
      { silentDrivers: [{ ...silent, lastSeenAt: ms(minutesAgo(20), 1) }] },
      [],
    ],
    ['a silent driver without parcels is not', { silentDrivers: [{ ...silent, parcels: 0 }] }, []],
    ['a webhook that fails for six hours is listed', { failingWebhooks: [failing] }, ['webhook_failing']],
    [
      'a webhook that fails a millisecond less is not',
      { failingWebhooks: [{ ...failing, failingSince: ms(minutesAgo(360), 1) }] },
      [],
    ],
    ['a webhook that was paused fails no more', { failingWebhooks: [{ ...failing, pausedAt: NOW }] }, []],
    [
      'a paper is listed from thirty days before its last day',
      { documents: [{ ...paper, expiresOn: '2026-04-03' }] },
      ['document_expiring'],
    ],
    ['a paper with a day more is not', { documents: [{ ...paper, expiresOn: '2026-04-04' }] }, []],
    [
      'a driver with two such papers is listed once',
      { documents: [paper, { ...paper, kind: 'identity_card', expiresOn: '2026-03-03' }] },
      ['document_expiring'],
    ],
    ['a balance a cent below the price is empty', { balanceRefusals: [refusal] }, ['balance_empty']],
    ['a balance that pays the price is not', { balanceRefusals: [{ ...refusal, balanceCents: 850 }] }, []],
    [
      'a refusal of less than a day ago counts',
      { balanceRefusals: [{ ...refusal, lastAt: ms(minutesAgo(1_440), 1) }] },
      ['balance_empty'],
    ],
    ['a refusal of a day ago does not', { balanceRefusals: [{ ...refusal, lastAt: minutesAgo(1_440) }] }, []],
  ])('%s', (_name, facts, kinds) => {
    expect(entriesOf(facts).map(({ kind }) => kind)).toEqual(kinds);
  });
});

describe('the list', () => {
  test('names a parcel once, by the entry with the better next act', () => {
    const late = { due: [{ ...due, estimatedDeliveryAt: minutesAgo(12) }] };
    expect(keysOf({ ...late, ...ONE_OF_EACH.no_driver })).toEqual(['no_driver:parcel-1']);
    expect(keysOf({ ...late, ...ONE_OF_EACH.incident_open, ...ONE_OF_EACH.code_locked })).toEqual([
      'code_locked:parcel-1',
    ]);
  });

  test('names an account without a pickup time once, with the number of its parcels and the oldest', () => {
    const waiting = [30, 90, 60].map((minutes, i) => ({
      ...parcel,
      shipmentId: `parcel-${i}`,
      createdAt: minutesAgo(minutes),
    }));
    expect(entriesOf({ withoutPickupTime: waiting })).toMatchObject([
      { since: minutesAgo(90), facts: { shipments: 3 } },
    ]);
  });

  test('shows a finding of the latest audit only, since when it is found, and again after the next audit', () => {
    const audit = (hoursAgo: number, ...findings: string[]) => ({
      finishedAt: minutesAgo(hoursAgo * 60),
      findings,
      retention: [],
    });
    const audits = [audit(1, 'a'), audit(25, 'a', 'b'), audit(49), audit(73, 'a')];
    expect(entriesOf({ audits })).toMatchObject([
      { subject: { title: 'a' }, since: minutesAgo(60), facts: { firstFoundAt: minutesAgo(25 * 60).toISOString() } },
    ]);
    expect(entriesOf({ audits: [audit(0), ...audits] })).toEqual([]);
  });

  test('is in order of urgency, then of age', () => {
    const facts: Partial<InboxFacts> = Object.assign({}, ...Object.values(ONE_OF_EACH));
    const many = {
      ...facts,
      codeLocked: [5, 50].map((minutes) => ({
        ...parcel,
        ...driver,
        shipmentId: `locked-${minutes}`,
        lockedAt: minutesAgo(minutes),
      })),
    };
    const kinds = entriesOf(many).map(({ kind }) => kind);
    const order = Object.keys(INBOX_KINDS);
    expect(kinds).toEqual(kinds.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
    expect(keysOf(many).slice(0, 2)).toEqual(['code_locked:locked-50', 'code_locked:locked-5']);
  });
});

describe('for any facts', () => {
  const someParcel = fc.integer({ min: 1, max: 6 }).map((n) => ({ ...parcel, shipmentId: `parcel-${n}` }));
  const instant = fc.integer({ min: -300, max: 3_000 }).map(minutesAgo);
  const anyFacts = fc.record({
    codeLocked: fc.array(
      fc.tuple(someParcel, instant).map(([one, lockedAt]) => ({ ...one, ...driver, lockedAt })),
      { maxLength: 4 },
    ),
    unassigned: fc.array(
      fc
        .tuple(someParcel, instant)
        .map(([one, spentAt]) => ({ ...one, waitingSince: spentAt, spentAt, rounds: 1, asked: 0, from: null })),
      { maxLength: 4 },
    ),
    due: fc.uniqueArray(
      fc
        .tuple(someParcel, instant, fc.boolean(), fc.constantFrom('assigned' as const, 'in_transit' as const))
        .map(([one, estimatedDeliveryAt, hasSlot, status]) => ({
          ...due,
          ...one,
          estimatedDeliveryAt,
          status,
          slotStartsAt: hasSlot ? minutesAgo(5_000) : null,
        })),
      { maxLength: 6, selector: ({ shipmentId }) => shipmentId },
    ),
    silentDrivers: fc.array(
      fc
        .tuple(instant, fc.integer({ min: 0, max: 3 }))
        .map(([lastSeenAt, parcels]) => ({ ...silent, lastSeenAt, parcels })),
      { maxLength: 1 },
    ),
    balanceRefusals: fc.array(
      fc
        .tuple(instant, fc.integer({ min: 0, max: 1_700 }))
        .map(([lastAt, balanceCents]) => ({ ...refusal, lastAt, balanceCents })),
      { maxLength: 1 },
    ),
  });

  test('the same facts give the same keys, whatever their order', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const reversed = Object.fromEntries(Object.entries(facts).map(([name, list]) => [name, list.toReversed()]));
        expect(new Set(keysOf(reversed))).toEqual(new Set(keysOf(facts)));
      }),
    );
  });

  test('a parcel whose facts are gone is in no entry, and no other entry changes', () => {
    fc.assert(
      fc.property(anyFacts, someParcel, (facts, { shipmentId: gone }) => {
        const without = Object.fromEntries(
          Object.entries(facts).map(([name, list]) => [
            name,
            list.filter((fact) => !('shipmentId' in fact) || fact.shipmentId !== gone),
          ]),
        );
        const isOther = (key: string) => !key.endsWith(`:${gone}`);
        expect(keysOf(without)).toEqual(keysOf(facts).filter(isOther));
      }),
    );
  });

  test('no facts are no entries, and no parcel is named by two kinds', () => {
    expect(entriesOf({})).toEqual([]);
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const kinds = Map.groupBy(entriesOf(facts), ({ subject }) => `${subject.type} ${subject.id}`);
        for (const entries of kinds.values()) expect(new Set(entries.map(({ kind }) => kind)).size).toBe(1);
      }),
    );
  });
});
