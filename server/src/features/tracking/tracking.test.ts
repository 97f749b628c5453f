import { randomUUIDv7 } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { ShipmentRequest } from '@navette/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { factsOf } from '../../../test/dispatched.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { createDatabase, createPool } from '../../database/database.ts';
import { readRun } from '../runs/read-runs.ts';
import { signReference } from '../shipments/index.ts';
import type { LivePositions } from './index.ts';

const DRIVER = randomUUIDv7();
const HERE = { latitude: 48.8591, longitude: 2.3431 };

let server: TestServer;
let shop: TestAccount;
let answer: () => ReturnType<LivePositions['positionFor']> = async () => null;
const asked: [string, string][] = [];
beforeAll(async () => {
  const livePositions: LivePositions = {
    positionFor(driverId, shipmentId) {
      asked.push([driverId, shipmentId]);
      return answer();
    },
  };
  server = await startTestServer({}, { livePositions });
  shop = await server.createAccount({ paymentMode: 'deferred', name: 'Chez <Zoé> & "fils"' });
  await server.db
    .insertInto('drivers')
    .values({ id: DRIVER, first_name: 'Yacine', last_name: 'Benali', phone_number: '+33611111111' })
    .execute();
});
afterAll(() => server.stop());
afterEach(() => {
  server.setNow(null);
  answer = async () => null;
  asked.length = 0;
});

interface Created {
  id: string;
  code: string;
  track: string;
  collect: string;
  share: string;
}

async function create(changes: Partial<ShipmentRequest> = {}): Promise<Created> {
  const { body } = await server.call(shop, 'POST', '/shipping', { body: shipmentRequest(changes) });
  const { _id: id, referenceNumber } = body.shipping;
  const { code } = await factsOf(server, id);
  const sign = (purpose: 'track' | 'collect' | 'share') =>
    signReference(server.config.linkSecrets, purpose, referenceNumber);
  const [track, collect, share] = [`/t/${sign('track')}`, `/t/${sign('collect')}`, `/t/${sign('share')}`];
  return { id, code, track, collect, share };
}
const move = async (id: string, ...triggers: Parameters<typeof moveShipment>[3][]) => {
  for (const trigger of triggers) await moveShipment(server, shop, id, trigger, { driverId: DRIVER });
};
const open = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${server.url}${path}`, { headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const COLLECTION = {
  isCollection: true,
  collectionContact: { phoneNumber: '+33698765432', email: 'lea@example.org' },
  pickupAddress: { street: '3 quai de la Gare', city: 'Lyon', postalCode: '69002' },
};

describe('the page of a link', () => {
  test('that the merchant shares has no code, street, position or note, and accepts nothing', async () => {
    const { id, code, track, share } = await create();
    const { street, city } = shipmentRequest().deliveryAddress;
    const note = (path: string) =>
      fetch(`${server.url}${path}/note`, { method: 'POST', body: new URLSearchParams({ note: 'Digicode 4711' }) });
    await note(share);
    expect((await open(track)).text).not.toContain('4711');
    await note(track);
    await move(id, 'assign', 'pick_up', 'depart');
    answer = async () => ({ ...HERE, at: new Date() });
    for (const path of [share, `${share}/state`]) {
      const { status, text } = await open(path);
      expect([status, path, text.includes('Yacine'), text.includes(city)]).toEqual([200, path, true, true]);
      for (const secret of [
        code,
        `${code.slice(0, 3)} `,
        street,
        '4711',
        'openstreetmap',
        '<form',
        '<textarea',
        'class="qr"',
      ])
        expect(text, `${path} ${secret}`).not.toContain(secret);
    }
    expect(asked).toEqual([]);
    await move(id, 'deliver');
    const after = await open(share);
    expect(after.text).not.toContain('<form');
    await fetch(`${server.url}${share}/report`, { method: 'POST', body: new URLSearchParams({ kind: 'damaged' }) });
    expect(
      await server.db.selectFrom('recipient_reports').select('id').where('shipment_id', '=', id).execute(),
    ).toEqual([]);
  });

  test('shows each status from creation to delivery, with the driver’s first name only', async () => {
    const { id, track } = await create();
    const headline = async () => /<h1>(.*?)<\/h1>/.exec((await open(track)).text)?.[1];
    expect(await headline()).toBe('Nous cherchons votre livreur');
    await move(id, 'assign');
    expect(await headline()).toBe('Yacine va chercher votre colis');
    await move(id, 'abandon');
    expect(await headline()).toBe('Nous cherchons un autre livreur');
    await move(id, 'assign', 'pick_up');
    expect(await headline()).toBe('Yacine a pris en charge votre colis');
    await move(id, 'depart');
    expect(await headline()).toBe('Yacine est en route');
    expect((await open(track)).text).not.toMatch(/Benali|33611111111/);
    await move(id, 'deliver');
    expect(await headline()).toBe('Votre colis est livré');
  });

  test('shows the slot, the shop and the reference, and of the recipient the address only', async () => {
    const { track } = await create({ scheduledDate: '2031-03-05', timeSlot: '14h-16h' });
    const { text } = await open(track);
    expect(text).toContain('Votre livraison est programmée');
    expect(text).toMatch(/Mercredi 5 mars.*entre 14h et 16h/);
    expect(text).toContain('Envoyé par Chez &lt;Zoé&gt; &amp; &quot;fils&quot;');
    expect(text).not.toMatch(/Camille|Durand|camille@|612345678|<Zoé>/);
  });

  test('is in English for a browser that prefers it, and by a link', async () => {
    const { track } = await create();
    expect((await open(track, { 'accept-language': 'en-US,en;q=0.9' })).text).toMatch(
      /<html lang="en">.*Finding you a driver/s,
    );
    const english = await open(`${track}?lang=en`, { 'accept-language': 'fr' });
    expect(english.text).toContain('Finding you a driver');
    expect(english.text).toContain(`href="${track}?lang=fr"`);
  });

  test('contains the code until delivery or cancellation', async () => {
    for (const [ending, before] of [
      ['deliver', ['assign', 'pick_up', 'depart']],
      ['cancel', ['assign']],
    ] as const) {
      const { id, code, track } = await create();
      const shown = () => open(track).then(({ text }) => text.includes(`${code.slice(0, 3)}<b></b>${code.slice(3)}`));
      expect(await shown()).toBe(true);
      await move(id, ...before);
      expect(await shown()).toBe(true);
      await move(id, ending);
      for (const path of [track, `${track}/state`]) {
        const { text } = await open(path);
        expect(text).not.toContain(code);
        expect(text).not.toContain(Array.from(code).join(' '));
        expect(text).not.toContain('<details id="code"');
      }
    }
  });

  test('is not cached, indexed or framed, and loads nothing from other origins', async () => {
    const { track } = await create();
    const { status, headers, text } = await open(track);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-robots-tag')).toContain('noindex');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(text).not.toMatch(/\sstyle="|\son\w+="/); // the content security policy refuses them
    const loaded = [...text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address = '']) => address);
    for (const address of loaded) expect(address).toMatch(/^(data:|\/t\/)/);
  });

  test('is under 40 kB, and a third of that with gzip', async () => {
    answer = async () => ({ ...HERE, at: new Date() });
    const { id, track } = await create();
    await move(id, 'assign', 'pick_up', 'depart');
    const plain = await open(track, { 'accept-encoding': 'identity' });
    expect(Buffer.byteLength(plain.text)).toBeLessThan(25_000);
    const raw = await server.app.inject({ url: track, headers: { 'accept-encoding': 'gzip' } });
    expect(raw.headers['content-encoding']).toBe('gzip');
    expect(raw.rawPayload.length).toBeLessThan(9_000);
    expect(gunzipSync(raw.rawPayload).toString()).toContain('Yacine est en route');
  });
});

describe('the changing part', () => {
  test('is a 304 until something changes', async () => {
    const { id, track } = await create();
    const first = await open(`${track}/state?lang=fr`);
    const tag = first.headers.get('etag') ?? '';
    expect((await open(track)).text).toContain(`data-tag="${tag.replaceAll('"', '&quot;')}"`);
    const same = await open(`${track}/state?lang=fr`, { 'if-none-match': tag });
    expect([same.status, same.text]).toEqual([304, '']);
    for (const name of ['cache-control', 'referrer-policy', 'x-robots-tag', 'vary'])
      expect(same.headers.get(name)).toBe(first.headers.get(name));
    await move(id, 'assign');
    const changed = await open(`${track}/state?lang=fr`, { 'if-none-match': tag });
    expect(changed.status).toBe(200);
    expect(changed.text).toContain('Yacine va chercher votre colis');
    expect(changed.text).not.toContain('<html');
  });

  test('is polled often while a driver is under way, rarely before, and never after the end', async () => {
    const every = async (path: string) => Number(/data-every="(\d+)"/.exec((await open(`${path}/state`)).text)?.[1]);
    const scheduled = await create({ scheduledDate: '2031-03-05', timeSlot: '14h-16h' });
    expect(await every(scheduled.track)).toBe(120);
    expect((await open(scheduled.track)).text).toContain(
      '<noscript><meta http-equiv="refresh" content="120"></noscript>',
    );
    const { id, track } = await create();
    await move(id, 'assign', 'pick_up', 'depart');
    expect(await every(track)).toBe(20);
    answer = async () => ({ ...HERE, at: new Date() });
    expect(await every(track)).toBe(10);
    await move(id, 'deliver');
    expect(await every(track)).toBe(0);
    expect((await open(track)).text).not.toContain('http-equiv="refresh"');
  });
});

describe('the driver’s position', () => {
  test('is read only while the parcel is in transit, and shown when this is the next stop', async () => {
    answer = async () => ({ ...HERE, at: new Date() });
    const { id, track } = await create();
    await open(track);
    await move(id, 'assign');
    expect((await open(track)).text).not.toContain('class="sketch"');
    expect(asked).toEqual([]);
    await move(id, 'pick_up');
    expect((await open(track)).text).not.toContain('class="sketch"');
    expect(asked).toEqual([]);
    await move(id, 'depart');
    const { text } = await open(track);
    expect(asked).toEqual([[DRIVER, id]]);
    expect(text).toContain('aria-label="Yacine, à 800 m"');
    expect(text).toMatch(
      /href="https:\/\/www\.openstreetmap\.org\/\?mlat=48\.85910&amp;mlon=2\.34310[^"]*" rel="noopener noreferrer"/,
    );
    await move(id, 'deliver');
    expect((await open(track)).text).not.toContain('class="sketch"');
    expect(asked).toHaveLength(1);
  });

  test('that is old, unknown, slow or failing is left out of the page', async () => {
    const { id, track } = await create();
    await move(id, 'assign', 'pick_up', 'depart');
    const answers: (typeof answer)[] = [
      async () => ({ ...HERE, at: new Date(Date.now() - 3_600_000) }),
      async () => null,
      () => new Promise(() => {}),
      () => Promise.reject(new Error('Redis is away')),
    ];
    for (answer of answers) {
      const { status, text } = await open(track);
      expect(status).toBe(200);
      expect(text).toContain('Yacine est en route');
      expect(text).not.toContain('class="sketch"');
    }
  });
});

describe('the recipient’s note', () => {
  const write = (track: string, note: string) =>
    fetch(`${server.url}${track}/note`, { method: 'POST', body: new URLSearchParams({ note }), redirect: 'manual' });
  const notesFor = async (id: string, driverId: string = DRIVER) =>
    (await readRun(server.db, driverId, id, new Date())).notes;

  test('is saved by a form, shown to the driver and on the page, and removed when it is empty', async () => {
    const { id, track } = await create({ notes: 'Fragile' });
    const { status, headers } = await write(track, '  3e étage <b>\u0007\r\nCode 12A  ');
    expect([status, headers.get('location')]).toEqual([303, `${track}?lang=fr`]);
    await move(id, 'assign');
    expect(await notesFor(id)).toBe('Fragile\n3e étage <b>\nCode 12A');
    expect((await open(track)).text).toContain('3e étage &lt;b&gt;\nCode 12A</textarea>');
    await write(track, 'x'.repeat(300));
    expect(await notesFor(id)).toBe(`Fragile\n${'x'.repeat(200)}`);
    await write(track, ' ');
    expect(await notesFor(id)).toBe('Fragile');
  });

  test('is closed once the driver is near, after the end, and for the contact of a collection', async () => {
    const { id, track, collect } = await create(COLLECTION);
    await write(track, 'Code 12A');
    await write(collect, 'not theirs');
    // A driver without other parcels and without a known place: no estimate, so the driver may have arrived.
    const driverId = randomUUIDv7();
    const driver = { id: driverId, first_name: 'Lina', last_name: 'Roy', phone_number: '+33611111112' };
    await server.db.insertInto('drivers').values(driver).execute();
    for (const trigger of ['assign', 'pick_up', 'depart'] as const)
      await moveShipment(server, shop, id, trigger, { driverId });
    await write(track, 'too late');
    expect(await notesFor(id, driverId)).toBe('Code 12A');
    const { text } = await open(track);
    expect([text.includes('Code 12A'), text.includes('<form')]).toEqual([true, false]);
    await moveShipment(server, shop, id, 'deliver', { driverId });
    await write(track, 'much too late');
    expect((await open(track)).text).not.toContain('Code 12A');
    expect(await notesFor(id, driverId)).toBe('Code 12A');
    expect((await write('/t/AAAAAAAAAAaaaaaaaaaaaaaaaa', 'x')).status).toBe(404);
  });

  test('429: one address saves twenty a minute', async () => {
    const { id, track } = await create();
    await move(id, 'assign');
    server.setNow(new Date('2031-02-01T12:00:30Z')); // a minute of its own, which does not end
    for (let n = 1; n <= 20; n++) expect((await write(track, `note ${n}`)).status).toBe(303);
    expect((await write(track, 'one more')).status).toBe(429);
    expect(await notesFor(id)).toBe('note 20');
  });
});

describe('a collection', () => {
  test('shows its contact the QR code until the pickup, and never the delivery code', async () => {
    const { id, code, collect } = await create(COLLECTION);
    const look = async () => (await open(collect)).text;
    expect(await look()).not.toMatch(/class="qr"|<details/);
    await move(id, 'assign');
    const waiting = await look();
    expect(waiting).toMatch(/<h1>Yacine vient chercher votre colis<\/h1>.*class="qr"/s);
    expect(waiting).not.toContain(code);
    expect(waiting).not.toContain(`${code.slice(0, 3)}<b></b>`);
    await move(id, 'pick_up');
    expect(await look()).not.toContain('class="qr"');
    await move(id, 'depart', 'deliver');
    expect(await look()).toContain('Votre colis est livré');
  });

  test('shows the workshop the delivery code and not the QR code of the pickup', async () => {
    const { id, code, track } = await create(COLLECTION);
    await move(id, 'assign');
    const { text } = await open(track);
    expect(text).toContain(`${code.slice(0, 3)}<b></b>${code.slice(3)}`);
    expect(text).toContain('Collecté à Lyon');
    expect(text).not.toContain('QR code d’enlèvement');
  });
});

describe('a link', () => {
  test('expires the set time after delivery or cancellation, with a notice', async () => {
    const { id, track, collect } = await create(COLLECTION);
    await move(id, 'cancel');
    const days = server.config.trackingLinkDays;
    server.setNow(new Date(Date.now() + days * 86_400_000 - 60_000));
    expect((await open(track)).status).toBe(200);
    server.setNow(new Date(Date.now() + days * 86_400_000 + 60_000));
    for (const path of [track, `${track}/state`, collect]) {
      const { status, text, headers } = await open(path);
      expect(status).toBe(410);
      expect(text).toContain('Ce lien n’est plus valable');
      expect(text).not.toContain('Zoé');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  test('that is wrong does not reveal whether a shipment exists', async () => {
    const { track } = await create();
    const unknown = signReference(server.config.linkSecrets, 'track', '2222222222');
    const pickUp = signReference(server.config.linkSecrets, 'pick-up', track.slice(3, 13));
    const wrong = [
      `${track.slice(0, -1)}${track.endsWith('A') ? 'B' : 'A'}`,
      '/t/x',
      `/t/${unknown}`,
      `/t/${pickUp}`,
      '/t/',
      '/t/%00',
      '/t/a/b/c',
    ];
    const answers = await Promise.all(wrong.map((path) => open(path)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.text).toContain('Lien introuvable');
    expect((await open('/t/x', { 'accept-language': 'en' })).text).toContain('Link not found');
  });

  test('that is wrong too often gives that address a 429 for the rest of the minute; a valid link still works', async () => {
    server.setNow(new Date('2031-01-01T12:00:30Z'));
    const { track } = await create();
    const answers = [];
    for (let i = 0; i < 35; i++) answers.push(await open(`/t/guess-${i}`));
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(30);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.text).toContain('Trop de tentatives');
    expect(refused[0]?.headers.get('retry-after')).toBe('60');
    expect((await open(track)).status).toBe(200);
    server.setNow(new Date('2031-01-01T12:01:01Z'));
    expect((await open('/t/guess')).status).toBe(404);
  });

  test('and the code behind it are in no log', async () => {
    const { id, code, track } = await create();
    await open(track);
    await open(`${track}/state`);
    await move(id, 'cancel');
    const logs = server.logged();
    expect(logs).toContain('"route":"/t/:token"');
    expect(logs).not.toContain(track.slice(3));
    expect(logs).not.toMatch(new RegExp(`\\b${code}\\b`));
  });

  test('shows a notice to come back later when the database is unreachable', async () => {
    const nowhere = createPool({ databaseUrl: 'postgres://127.0.0.1:1/nowhere', size: 1 });
    const pools = { main: nowhere, prepared: nowhere, creation: nowhere, exports: nowhere, long: nowhere };
    const broken = await startTestServer({}, { db: createDatabase(nowhere), pools });
    const token = signReference(broken.config.linkSecrets, 'track', '2222222222');
    const response = await fetch(`${broken.url}/t/${token}`, { headers: { 'accept-language': 'en' } });
    expect(response.status).toBe(503);
    const text = await response.text();
    expect(text).toContain('Tracking is temporarily unavailable');
    expect(text).not.toMatch(/pool|postgres|Error/i);
    await broken.stop();
  });
});
