/**
 * Draws the recipient's page in every status, and the e-mails, as a phone shows them, into docs/images. No server is
 * needed: pages are pure functions of the shipment.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { SHIPMENT_STATUSES, type ShipmentStatus } from '@navette/contract';
import { REAL_CLOCK } from '../server/src/calendar/twin-clock.ts';
import { type PreviewedKind, previewMessage, previewPage } from '../server/src/features/messages/preview-message.ts';
import type { TrackedShipment } from '../server/src/features/tracking/find-tracked-shipment.ts';
import { createLocalTime } from '../server/src/features/tracking/local-time.ts';
import { noticePage, page } from '../server/src/features/tracking/page.ts';
import type { View } from '../server/src/features/tracking/page-parts.ts';
import { WORDS } from '../server/src/features/tracking/words.ts';
import type { Language } from '../server/src/http/choose-language.ts';
import { openBrowser } from './browser.ts';

const NOW = new Date('2026-03-04T14:32:10Z');
const TIME_ZONE = 'Europe/Paris';
const LIFE: [ShipmentStatus, string][] = [
  ['created', '2026-03-04T12:58:00Z'],
  ['assigned', '2026-03-04T13:06:00Z'],
  ['picked_up', '2026-03-04T13:41:00Z'],
  ['in_transit', '2026-03-04T13:44:00Z'],
  ['delivered', '2026-03-04T14:27:00Z'],
];

function shipmentIn(status: ShipmentStatus): TrackedShipment {
  const until = LIFE.findIndex(([step]) => step === status);
  const way = status === 'cancelled' ? LIFE.slice(0, 2) : LIFE.slice(0, Math.max(until, 0) + 1);
  const history = way.map(([step, at]) => ({ status: step, at: new Date(at) }));
  if (status === 'cancelled') history.push({ status, at: new Date('2026-03-04T13:20:00Z') });
  const withDriver = !['programmed', 'created'].includes(status);
  return {
    accountId: 'a',
    id: '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60',
    referenceNumber: '5N4MPK3S3M',
    status,
    history: status === 'programmed' ? [{ status, at: new Date('2026-03-03T09:12:00Z') }] : history,
    isCollection: false,
    merchantName: 'Atelier Zoé',
    clock: REAL_CLOCK,
    isMoved: false,
    driver: withDriver ? { id: 'd', firstName: 'Yacine' } : null,
    deliveryCode: '482913',
    createdAt: new Date(status === 'programmed' ? '2026-03-03T09:12:00Z' : '2026-03-04T12:58:00Z'),
    endedAt: status === 'delivered' || status === 'cancelled' ? (history.at(-1)?.at ?? null) : null,
    isConfirmedByOperator: false,
    isErased: false,
    slot:
      status === 'created' || status === 'in_transit'
        ? null
        : { startsAt: new Date('2026-03-04T15:00:00Z'), endsAt: new Date('2026-03-04T17:00:00Z') },
    estimatedAt: status === 'created' ? new Date('2026-03-04T12:58:00Z') : new Date('2026-03-04T17:00:00Z'),
    recipientNote: status === 'in_transit' ? 'Bâtiment B, 3e étage' : null,
    shop: { email: 'bonjour@atelier-zoe.example', phone: '01 23 45 67 89', hasLogo: false },
    pickup: { city: 'Paris' },
    delivery: {
      street: '12 rue Sainte-Anne',
      postalCode: '75001',
      city: 'Paris',
      coordinates: { latitude: 48.8638, longitude: 2.3345 },
    },
  };
}

/** A delivery with the code, a signature and a photo; the recipient may report a problem. */
const aftermathOf = (status: ShipmentStatus): View['aftermath'] => ({
  handover: status === 'delivered' ? { how: 'code', signature: { by: 'recipient' }, photos: ['photo'] } : null,
  report: null,
  mayReport: status === 'delivered' || status === 'cancelled',
});

function draw(shipment: TrackedShipment, language: Language, viewer: View['viewer'] = 'recipient'): string {
  const live = shipment.status === 'in_transit';
  const view: View = {
    shipment,
    viewer,
    position: live ? { latitude: 48.8591, longitude: 2.3431, at: new Date(NOW.getTime() - 20_000) } : null,
    streets: null,
    arrival: live
      ? { from: new Date('2026-03-04T14:35:00Z'), until: new Date('2026-03-04T14:50:00Z'), stopsBefore: 0 }
      : null,
    aftermath: aftermathOf(shipment.status),
    mayWriteNote:
      viewer === 'recipient' && ['programmed', 'created', 'assigned', 'picked_up'].includes(shipment.status),
    pickupToken: viewer === 'contact' ? '5N4MPK3S3Mabcdefgh-_12345678' : null,
    deliveryQr: viewer === 'recipient' ? `NV1.5N4MPK3S3M.${'a'.repeat(6)}.${'b'.repeat(86)}` : null,
    language,
    words: WORDS[language],
    time: createLocalTime(language, TIME_ZONE, NOW),
  };
  return page(view, { language, path: '/t/5N4MPK3S3M', timeZone: TIME_ZONE });
}

const SHOP = {
  merchantName: 'Atelier Zoé',
  shop: { email: 'bonjour@atelier-zoe.example', phone: '01 23 45 67 89' },
};
const SENT = { publicUrl: 'https://navette.example', timeZone: TIME_ZONE };
const EMAILS = [
  'booked-email',
  'recipient-email',
  'next-email',
  'delivered-email',
  'cancelled-email',
  'collection-email',
] as const satisfies PreviewedKind[];
const emails = (language: Language): Shot[] =>
  EMAILS.map((kind): Shot => [previewPage(previewMessage(kind, language, SHOP, SENT)) ?? '']);

type Shot = [markup: string, tapped?: 'tapped'];
const statuses = (language: Language): Shot[] =>
  SHIPMENT_STATUSES.map((status): Shot => {
    const markup = draw(shipmentIn(status), language);
    return status === 'assigned' ? [markup, 'tapped'] : [markup];
  });
const sheets: Record<string, Shot[]> = {
  'recipient-page/fr': statuses('fr'),
  'recipient-page/en': statuses('en'),
  'recipient-page/others': [[draw(shipmentIn('assigned'), 'fr', 'contact')], [noticePage('expired', 'fr', undefined)]],
  'recipient-page/emails': emails('fr'),
  'recipient-page/emails-en': emails('en'),
};

const browser = await openBrowser();
const folder = new URL('../docs/images/', import.meta.url);
for (const [name, shots] of Object.entries(sheets)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    if (name.endsWith('en') && colorScheme === 'dark') continue; // the French picture shows the same colours
    const phones: Buffer[] = [];
    for (const shot of shots) phones.push(await takeWithPhone(shot, colorScheme));
    const file = new URL(`${name}-${colorScheme}.png`, folder);
    mkdirSync(new URL('.', file), { recursive: true });
    writeFileSync(file, await sideBySide(phones));
  }
}
await browser.close();

async function takeWithPhone([markup, tapped]: Shot, colorScheme: 'light' | 'dark'): Promise<Buffer> {
  const viewport = { width: 390, height: 640 };
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
  const tab = await context.newPage();
  await tab.clock.setFixedTime(NOW);
  await tab.setContent(markup);
  if (tapped) await tab.locator('summary').click();
  const png = await tab.screenshot({ fullPage: true });
  await context.close();
  return png;
}

/** One reduced picture for all pages, since the repository keeps every version of it. */
async function sideBySide(phones: Buffer[]): Promise<Buffer> {
  const tab = await browser.newPage({ viewport: { width: phones.length * 196 + 12, height: 400 } });
  const images = phones.map((png) => `<img width="184" src="data:image/png;base64,${png.toString('base64')}">`);
  await tab.setContent(
    `<body style="margin:0;padding:12px 6px;background:#8b93a3;display:flex;align-items:flex-start"><style>img{margin:0 6px;border-radius:12px}</style>${images.join('')}</body>`,
  );
  const png = await tab.screenshot({ fullPage: true });
  await tab.close();
  return png;
}
