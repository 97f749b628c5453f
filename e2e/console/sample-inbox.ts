import type { Approval, AssignableDriver, InboxEntry, InboxKind } from '@navette/contract';

const MINUTE_MS = 60_000;
const id = (number: number) => `01936f2e-8c1a-7d3e-9b1f-${String(number).padStart(12, '0')}`;
const account = (number: number, name: string) => ({ id: id(900 + number), name });
const FLOWERS = account(1, 'Fleurs & Fils');
const BAKERY = account(2, 'Boulangerie Saint-Michel');
const BOOKS = account(3, 'Librairie des Deux Mondes');

type Facts = InboxEntry['facts'];
type Subject = [type: InboxEntry['subject']['type'], title: string];

interface Sample {
  kind: InboxKind;
  minutes: number;
  subject: Subject;
  account: InboxEntry['account'];
  facts: Facts;
  more?: Partial<InboxEntry>;
}

const ANA = { driver: 'Ana Leroy', driverPhone: '+33611223344' };
const SAMPLES: Sample[] = [
  { kind: 'code_locked', minutes: 4, subject: ['shipment', 'K7M2P9XW4B'], account: FLOWERS, facts: ANA },
  {
    ...{ kind: 'incident_open', minutes: 11, subject: ['shipment', '5N4MPK3S3M'], account: BAKERY },
    facts: { incident: 'recipient_absent', note: 'Interphone en panne, personne au téléphone', ...ANA },
    more: { state: 'taken', takenBy: { id: id(1), name: 'Léa Morel' }, version: 1 },
  },
  {
    ...{ kind: 'no_driver', minutes: 9, subject: ['shipment', 'Q4T8R2VN6C'], account: BOOKS },
    facts: { rounds: 2, asked: 3, from: '12 rue de Seine, Paris 6e' },
  },
  {
    ...{ kind: 'no_driver', minutes: 7, subject: ['shipment', 'W3H9D5KZ7F'], account: FLOWERS },
    facts: { rounds: 2, asked: 0, from: '4 avenue Foch, Vincennes' },
  },
  {
    ...{ kind: 'late', minutes: 26, subject: ['shipment', 'B8X2M6PT4R'], account: BAKERY },
    facts: { status: 'in_transit', driver: 'Karim Benali', driverPhone: '+33677889900', kmLeft: 3.4, minutesLate: 26 },
  },
  {
    ...{ kind: 'driver_silent', minutes: 24, subject: ['driver', 'Hugo Petit'], account: null },
    facts: { driverPhone: '+33655443322', parcels: 2, minutesSilent: 24 },
  },
  {
    ...{ kind: 'nearly_late', minutes: 12, subject: ['shipment', 'Z6C4V8NQ2J'], account: BOOKS },
    facts: { status: 'picked_up', ...ANA, kmLeft: 6.1, minutesLeft: 18 },
  },
  {
    ...{ kind: 'no_place', minutes: 38, subject: ['shipment', 'T9G3L7YB5S'], account: FLOWERS },
    facts: { missing: 'delivery', address: 'Lieu-dit Le Grand Pré, chemin des Aubépines, 77520 Donnemarie' },
  },
  { kind: 'no_pickup_time', minutes: 620, subject: ['account', BAKERY.name], account: BAKERY, facts: { shipments: 3 } },
  {
    ...{ kind: 'message_failed', minutes: 52, subject: ['message', 'M5J7F3WD9K'], account: BOOKS },
    facts: { message: 'recipient-sms', to: '+33•••••678', failure: '21614: not a mobile number' },
  },
  {
    ...{ kind: 'recipient_report', minutes: 21, subject: ['shipment', 'H4R8C2MX6V'], account: BAKERY },
    facts: { report: 'not_received' },
  },
  {
    ...{ kind: 'approval_waiting', minutes: 15, subject: ['approval', FLOWERS.name], account: FLOWERS },
    facts: {
      act: 'account.credited',
      amount: 1_250,
      reason: 'Geste commercial, panne du 2 novembre',
      requestedBy: 'Yanis Cohen',
    },
  },
  {
    ...{ kind: 'document_expiring', minutes: 41_000, subject: ['driver', 'Hugo Petit'], account: null },
    facts: { document: 'driving_licence', expiresOn: '2030-06-02', daysLeft: 12, more: 1 },
  },
  {
    ...{ kind: 'balance_empty', minutes: 95, subject: ['account', BOOKS.name], account: BOOKS },
    facts: { balance: 8.49, refusedPrice: 11.9, lastRefusedAt: '' },
  },
  {
    ...{ kind: 'webhook_paused', minutes: 180, subject: ['webhook', 'boulangerie.example'], account: BAKERY },
    facts: { failingSince: '' },
  },
  {
    ...{
      kind: 'audit_finding',
      minutes: 3_100,
      subject: ['system', 'the ledger adds up to the balance'],
      account: null,
    },
    facts: { firstFoundAt: '' },
  },
];

/** One entry of almost every kind, as the server would list them now. */
export function sampleEntries(now: Date): InboxEntry[] {
  const ago = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS).toISOString();
  return SAMPLES.map(({ kind, minutes, subject: [type, title], account: of, facts, more }, index) => ({
    key: `${kind}:${id(index + 10)}`,
    kind,
    since: ago(minutes),
    subject: { type, id: id(index + 10), title, version: type === 'shipment' ? '1' : null },
    account: of,
    facts: Object.fromEntries(
      Object.entries(facts).map(([name, value]) => [name, value === '' ? ago(minutes + 60) : value]),
    ),
    state: 'open' as const,
    takenBy: null,
    snoozedUntil: null,
    note: null,
    version: 0,
    ...more,
  }));
}

export const SAMPLE_DRIVERS: AssignableDriver[] = [
  { id: id(50), name: 'Karim Benali', distanceKm: 0.8, runs: 0, warnings: [] },
  { id: id(51), name: 'Ana Leroy', distanceKm: 1.6, runs: 1, warnings: [] },
  { id: id(52), name: 'Inès Garcia', distanceKm: 2.3, runs: 3, warnings: ['many_runs'] },
  { id: id(53), name: 'Thomas Le Goff', distanceKm: 9.4, runs: 0, warnings: ['far', 'refused_before'] },
  { id: id(54), name: 'Hugo Petit', distanceKm: null, runs: 2, warnings: ['position_unknown', 'offline'] },
];

export const sampleApprovals = (now: Date): Approval[] => [
  {
    id: id(20),
    act: 'account.credited',
    subject: { type: 'account', id: FLOWERS.id, title: FLOWERS.name },
    amount: 1_250,
    reason: 'Geste commercial, panne du 2 novembre',
    requestedBy: { id: id(2), name: 'Yanis Cohen' },
    requestedAt: new Date(now.getTime() - 15 * MINUTE_MS).toISOString(),
  },
  {
    id: id(21),
    act: 'shipment.delivery_confirmed',
    subject: { type: 'shipment', id: id(30), title: 'K7M2P9XW4B' },
    amount: null,
    reason: 'Destinataire joint par téléphone, le colis est chez la gardienne',
    requestedBy: { id: id(3), name: 'Léa Morel' },
    requestedAt: new Date(now.getTime() - 8 * MINUTE_MS).toISOString(),
  },
];
