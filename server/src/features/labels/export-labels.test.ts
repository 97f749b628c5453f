import { randomUUIDv7 } from 'node:crypto';
import { BASE_PATH, MAX_EXPORTED_LABELS } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { followLink } from '../../../test/call-label.ts';
import { fieldErrors, messageOnly, refusedAs } from '../../../test/envelopes.ts';
import { hardAddress } from '../../../test/label-samples.ts';
import { startNavette } from '../../../test/navette-process.ts';
import { asRead, codesOfPages, faultsOfPdf, textOfPages } from '../../../test/pdf-tools.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { timeLimitMs } from '../../../test/time-limit.ts';

const HARD_NAMES = 150;

interface Created {
  _id: string;
  referenceNumber: string;
  pdfUrl: string;
  deliveryAddress: { recipientName: string; street: string; city: string; postalCode: string; phoneNumber: string };
}

let server: TestServer;
let shop: TestAccount;
let stranger: TestAccount;
/** A thousand shipments of the shop, in the order of creation. */
let shipments: Created[];
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ paymentMode: 'deferred' });
  stranger = await server.createAccount({ paymentMode: 'deferred' });
  shipments = [...(await createMany(shop, 500, 0)), ...(await createMany(shop, 500, 500))];
});
afterAll(() => server.stop());

async function createMany(account: TestAccount, count: number, first = 0, changes = {}): Promise<Created[]> {
  const ordinary = shipmentRequest();
  const shippings = Array.from({ length: count }, (_, i) => ({
    ...ordinary,
    deliveryAddress: { ...ordinary.deliveryAddress, ...hardAddress(first + i) },
    ...changes,
  }));
  const { status, body } = await server.call(account, 'POST', '/shipping/batch', { body: { shippings } });
  expect(status).toBe(200);
  return body.shippings.map(({ shipping }: { shipping: Created }) => shipping);
}

const askFor = (account: TestAccount, body: unknown, url = server.url) =>
  fetch(`${url}${BASE_PATH}/shipping/pdf/export`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account.key}`,
      'x-client-id': account.clientId,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
async function exported(account: TestAccount, body: unknown): Promise<Buffer> {
  const answer = await askFor(account, body);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  return Buffer.from(await answer.arrayBuffer());
}
const selected = (list: Created[]) => ({ scope: 'selected', shippingIds: list.map(({ _id }) => _id) });
const referencesIn = async (pdf: Buffer) =>
  (await textOfPages(pdf)).map((text) => text.match(/\b[2-9A-HJKMNP-TV-Z]{10}\b/g)?.at(-1));

describe('POST /shipping/pdf/export', () => {
  test('hard names: every name and address is found in full, every reference in both codes', async () => {
    const wanted = shipments.slice(0, HARD_NAMES);
    const pdf = await exported(shop, selected(wanted));
    expect(await faultsOfPdf(pdf)).toBe('');
    const [texts, codes] = await Promise.all([textOfPages(pdf), codesOfPages(pdf)]);
    expect(texts).toHaveLength(HARD_NAMES);
    const problems = wanted.flatMap(({ referenceNumber, deliveryAddress: to }, i) => {
      const parts = [referenceNumber, to.recipientName, to.street, to.city, to.postalCode, to.phoneNumber];
      const lost = parts.flatMap(partsToFind).filter((part) => !squeezed(texts[i] as string).includes(squeezed(part)));
      const read = codes[i]?.join(' ') === `CODE-128:${referenceNumber} QR-Code:${referenceNumber}`;
      return [
        ...lost.map((part) => `${i}: “${part}” is not in ${texts[i]}`),
        ...(read ? [] : [`${i}: ${codes[i]?.join(' ')}`]),
      ];
    });
    expect(problems.slice(0, 5)).toEqual([]);
  });

  test('a thousand labels are a thousand pages, in the order asked for', async () => {
    const wanted = shipments.toSorted((a, b) => (a.referenceNumber < b.referenceNumber ? -1 : 1));
    const pdf = await exported(shop, selected(wanted));
    expect(await faultsOfPdf(pdf)).toBe('');
    expect(await referencesIn(pdf)).toEqual(wanted.map(({ referenceNumber }) => referenceNumber));
  });

  test('single files are clean too, and say what the merged one says', async () => {
    const sample = shipments.filter((_, i) => i % 20 === 0);
    const merged = await textOfPages(await exported(shop, selected(sample)));
    for (const [i, { pdfUrl }] of sample.entries()) {
      const { bytes } = await followLink(server, pdfUrl);
      expect(await faultsOfPdf(bytes)).toBe('');
      expect(await textOfPages(bytes)).toEqual([merged[i]]);
    }
  });

  test('an id asked for twice is printed twice', async () => {
    const [one, two] = shipments as [Created, Created];
    expect(await referencesIn(await exported(shop, selected([one, two, one])))).toEqual(
      [one, two, one].map(({ referenceNumber }) => referenceNumber),
    );
  });

  test('filtered by status, group and date, newest first', async () => {
    const account = await server.createAccount({ paymentMode: 'deferred' });
    server.setNow(new Date('2026-03-02T08:00:00Z'));
    await createMany(account, 2);
    server.setNow(new Date('2026-03-05T08:00:00Z'));
    const grouped = await createMany(account, 3, 0, { groupReference: 'G1' });
    server.setNow(null);
    await server.call(account, 'PUT', `/shipping/${grouped[0]?._id}/cancel`);
    const found = async (filters: unknown) => referencesIn(await exported(account, { scope: 'filtered', filters }));
    const references = grouped.map(({ referenceNumber }) => referenceNumber);
    expect(await found({ groupReference: 'G1' })).toEqual(references.toReversed());
    expect(await found({ groupReference: 'G1', status: 'created' })).toEqual(references.slice(1).reverse());
    expect(await found({ status: 'cancelled' })).toEqual(references.slice(0, 1));
    expect(await found({ from: '2026-03-04' })).toEqual(references.toReversed());
    expect(await found({ to: '2026-03-04' })).toHaveLength(2);
    expect(await found({})).toHaveLength(5);
  });

  describe('refuses', () => {
    const call = (body: unknown, account = shop) => server.call(account, 'POST', '/shipping/pdf/export', { body });

    test('404 for one unknown, malformed or foreign id among good ones, without a byte of PDF', async () => {
      const [foreign] = await createMany(stranger, 1);
      const good = shipments.slice(0, 3).map(({ _id }) => _id);
      for (const id of [foreign?._id, randomUUIDv7(), 'nonsense'])
        expect(await call({ scope: 'selected', shippingIds: [...good, id] })).toEqual(messageOnly(404));
    });

    test('404 when nothing matches, and the labels of others never match', async () => {
      const empty = await server.createAccount();
      expect(await call({ scope: 'filtered' }, empty)).toEqual(messageOnly(404));
      expect(await call({ scope: 'filtered', filters: { groupReference: 'nobody' } })).toEqual(messageOnly(404));
    });

    test('400 naming the field: no scope, no ids, too many ids, a bad filter', async () => {
      expect(await call({})).toEqual(fieldErrors('body', 'scope'));
      expect(await call({ scope: 'selected' })).toEqual(fieldErrors('body', 'shippingIds'));
      expect(await call({ scope: 'selected', shippingIds: [] })).toEqual(fieldErrors('body', 'shippingIds'));
      const ids = Array(MAX_EXPORTED_LABELS + 1).fill(shipments[0]?._id);
      expect(await call({ scope: 'selected', shippingIds: ids })).toEqual(fieldErrors('body', 'shippingIds'));
      expect(await call({ scope: 'filtered', filters: { status: 'lost' } })).toEqual(
        fieldErrors('body', 'filters.status'),
      );
    });

    test('400 naming a filter that there is not, instead of a file with everything', async () => {
      for (const filters of [{ statut: 'delivered' }, { status: 'delivered', since: null }]) {
        const unknown = Object.keys(filters).at(-1);
        expect(await call({ scope: 'filtered', filters })).toEqual(fieldErrors('body', `filters.${unknown}`));
      }
    });

    test('400 with a message when more match than one file may hold', async () => {
      await createMany(stranger, 500);
      await createMany(stranger, 500);
      await createMany(stranger, 1);
      expect(await call({ scope: 'filtered' }, stranger)).toEqual(messageOnly(400));
    });

    test('403 for a key that may only read', async () => {
      const reader = await server.createAccount({}, ['read']);
      expect(await call({ scope: 'filtered' }, reader)).toEqual(refusedAs('INSUFFICIENT_PERMISSIONS'));
    });
  });

  test('a thousand labels under way hold no other request up', async () => {
    const api = await startNavette(['api'], server.environment);
    try {
      const read = async () => {
        const started = performance.now();
        const id = shipments[Math.floor(Math.random() * 1000)]?._id;
        const { status } = await fetch(`${api.url}${BASE_PATH}/shipping/${id}`, {
          headers: { authorization: `Bearer ${shop.key}`, 'x-client-id': shop.clientId },
        });
        expect(status).toBe(200);
        return performance.now() - started;
      };
      const p99 = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] as number;
      await askFor(shop, selected(shipments.slice(0, 5)), api.url).then((answer) => answer.arrayBuffer()); // threads started
      const alone: number[] = [];
      for (let i = 0; i < 300; i++) alone.push(await read());

      let pages = 0;
      const exporting = (async () => {
        for (let round = 0; round < 2; round++) {
          pages += (
            await textOfPages(Buffer.from(await (await askFor(shop, selected(shipments), api.url)).arrayBuffer()))
          ).length;
        }
      })();
      const beside: number[] = [];
      let done = false;
      void exporting.finally(() => {
        done = true;
      });
      while (!done) beside.push(await read());
      await exporting;
      expect(pages).toBe(2_000);
      expect(beside.length).toBeGreaterThan(100);
      expect(p99(beside) - p99(alone)).toBeLessThan(timeLimitMs(100));
    } finally {
      await api.stop();
    }
  });

  test('a client that goes away stops the drawing, and others are served', async () => {
    const abort = new AbortController();
    const answer = await fetch(`${server.url}${BASE_PATH}/shipping/pdf/export`, {
      method: 'POST',
      signal: abort.signal,
      headers: {
        authorization: `Bearer ${shop.key}`,
        'x-client-id': shop.clientId,
        'content-type': 'application/json',
      },
      body: JSON.stringify(selected(shipments)),
    });
    await answer.body?.getReader().read();
    abort.abort();
    expect(await referencesIn(await exported(shop, selected(shipments.slice(0, 2))))).toHaveLength(2);
  });
});

/** Where both directions meet in one line, pdftotext orders the words by a rule of its own: each must be there, whole. */
const partsToFind = (text: string) => (/\p{Script=Arabic}/u.test(text) ? text.split(' ') : [text]);

/** Letters in their order: where a line breaks, and the hyphen pdftotext then drops, is not what is being asked. */
const squeezed = (text: string) => asRead(text).replace(/[\s-]|\p{Variation_Selector}|\u{200d}/gu, '');
