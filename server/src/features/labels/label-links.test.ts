import { randomBytes, randomInt, randomUUIDv7 } from 'node:crypto';
import { ENDPOINTS } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { followLink, LABEL_LINK_ENDPOINTS } from '../../../test/call-label.ts';
import { faultsIn } from '../../../test/contract-faults.ts';
import { messageOnly, refusedAs } from '../../../test/envelopes.ts';
import { faultsOfPdf, textOfPages } from '../../../test/pdf-tools.ts';
import { type PrivateBucket, startPrivateBucket } from '../../../test/private-bucket.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { openLabelStore } from '../../adapters/files/open-file-store.ts';

const PUBLIC = 'http://labels.example.org';
let server: TestServer;
let shop: TestAccount;
let stranger: TestAccount;
beforeAll(async () => {
  server = await startTestServer({ PUBLIC_URL: PUBLIC });
  shop = await server.createAccount({ paymentMode: 'deferred' });
  stranger = await server.createAccount({ paymentMode: 'deferred' });
});
afterAll(() => server.stop());

const create = async (on = server, account = shop, changes = {}) =>
  (await on.call(account, 'POST', '/shipping', { body: shipmentRequest(changes) })).body.shipping;

describe('POST /shipping/:id/download-link', () => {
  test('200 gives an absolute link that saves the label under its display name', async () => {
    const { _id, referenceNumber, pdfUrl } = await create();
    const { status, body } = await server.call(shop, 'POST', `/shipping/${_id}/download-link`);
    const filename = `bordereau_${referenceNumber}.pdf`;
    expect(body).toStrictEqual({
      success: true,
      downloadUrl: `${PUBLIC}${pdfUrl}?download`,
      filename,
      action: 'download',
    });
    expect(faultsIn(ENDPOINTS.createDownloadLink, status, body)).toEqual([]);
    const { headers } = await followLink(server, body.downloadUrl);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${filename}"`);
  });
});

describe('POST /shipping/:id/view-link', () => {
  test('200 gives an absolute link that shows the label, and no file name', async () => {
    const { _id, pdfUrl } = await create();
    const { status, body } = await server.call(shop, 'POST', `/shipping/${_id}/view-link`);
    expect(body).toStrictEqual({ success: true, viewUrl: `${PUBLIC}${pdfUrl}`, action: 'view' });
    expect(faultsIn(ENDPOINTS.createViewLink, status, body)).toEqual([]);
    const { headers } = await followLink(server, body.viewUrl);
    expect(headers.get('content-disposition')).toMatch(/^inline/);
  });
});

describe('GET /shipping/:id/download', () => {
  test('302 leads to the label', async () => {
    const { _id, pdfUrl } = await create();
    const { status, headers, body } = await server.call(shop, 'GET', `/shipping/${_id}/download`);
    expect(status).toBe(302);
    expect(headers.get('location')).toBe(`${PUBLIC}${pdfUrl}?download`);
    expect(body).toBe('');
  });
});

describe.each(Object.entries(LABEL_LINK_ENDPOINTS))('%s', (title, requestLink) => {
  const [method = '', path = ''] = title.split(' ');
  const call = (account: Partial<TestAccount>, id: string) => server.call(account, method, path.replace(':id', id));

  test('an unknown, malformed or foreign id is 404, byte for byte alike', async () => {
    const foreign = (await create(server, stranger))._id;
    const answers = await Promise.all([foreign, randomUUIDv7(), 'nonsense'].map((id) => call(shop, id)));
    for (const answer of answers) {
      expect(answer).toEqual(messageOnly(404));
      expect(answer.body).toEqual(answers[0]?.body);
    }
  });

  test('a key without the scope is refused', async () => {
    const { _id } = await create();
    const limited = await server.createAccount({}, method === 'GET' ? ['write'] : ['read']);
    expect(await call(limited, _id)).toEqual(refusedAs('INSUFFICIENT_PERMISSIONS'));
  });

  test('the label it leads to shows the shipment, and neither e-mail address nor delivery code', async () => {
    const { _id, referenceNumber } = await create();
    const { bytes, status } = await followLink(server, await requestLink(server, shop, _id));
    expect(status).toBe(200);
    expect(await faultsOfPdf(bytes)).toBe('');
    const [text] = await textOfPages(bytes);
    for (const part of [referenceNumber, 'Atelier Zoé', 'Camille Durand', '8 avenue de l’Opéra', '+33612345678'])
      expect(text).toContain(part);
    const { delivery_code: code } = await server.db
      .selectFrom('shipments')
      .select('delivery_code')
      .where('id', '=', _id)
      .executeTakeFirstOrThrow();
    expect(text).not.toContain('@');
    expect(text?.replaceAll(/\+33612345678/g, '')).not.toContain(code);
  });

  test('a shipment cancelled meanwhile has a crossed label at the same address', async () => {
    const { _id } = await create();
    const link = await requestLink(server, shop, _id);
    expect((await textOfPages((await followLink(server, link)).bytes))[0]).not.toContain('ANNULÉ');
    await server.call(shop, 'PUT', `/shipping/${_id}/cancel`);
    expect(await requestLink(server, shop, _id)).toBe(link);
    expect((await textOfPages((await followLink(server, link)).bytes))[0]).toContain('ANNULÉ');
  });
});

describe.each(['directory', 'bucket'])('labels kept in a %s', (kind) => {
  let bucket: PrivateBucket | undefined;
  let own: TestServer;
  let account: TestAccount;
  beforeAll(async () => {
    bucket = kind === 'bucket' ? await startPrivateBucket() : undefined;
    own = await startTestServer(bucket?.environment);
    account = await own.createAccount({ paymentMode: 'deferred' });
  });
  afterAll(async () => {
    await own.stop();
    await bucket?.stop();
  });

  const store = () => openLabelStore(own.config);
  const nameOf = (pdfUrl: string) => pdfUrl.replace('/pdfs/', '');
  const counted = async (found: string) => {
    const text = await own.metrics();
    return Number(new RegExp(`navette_label_files_total{found="${found}"} (\\d+)`).exec(text)?.[1] ?? 0);
  };

  test('a file that is not there can be deleted', async () => {
    await expect(store().delete(`bordereau_X_${'0'.repeat(32)}.pdf`)).resolves.toBeUndefined();
  });

  test('lists the files that were written since a time', async () => {
    const { pdfUrl } = await create(own, account);
    await store().write(nameOf(pdfUrl), Buffer.from('a label'));
    const listed = async (since: Date) => {
      for await (const name of store().list(since)) if (name === nameOf(pdfUrl)) return true;
      return false;
    };
    expect(await listed(new Date(Date.now() - 3_600_000))).toBe(true);
    expect(await listed(new Date(Date.now() + 3_600_000))).toBe(false);
  });

  test('a label is drawn once and then served from there', async () => {
    const { _id, pdfUrl } = await create(own, account);
    expect(await store().read(nameOf(pdfUrl))).toBe(null);
    await own.call(account, 'POST', `/shipping/${_id}/view-link`);
    const kept = await store().read(nameOf(pdfUrl));
    const before = await counted('good');
    expect((await followLink(own, pdfUrl)).bytes.equals(kept as Buffer)).toBe(true);
    expect(await counted('good')).toBe(before + 1);
  });

  const damages: Record<string, (file: Buffer) => Buffer> = {
    'cut off at any byte': (file) => file.subarray(0, randomInt(file.length)),
    'replaced by garbage': (file) => randomBytes(randomInt(1, 2 * file.length)),
    'changed in one byte': (file) => {
      const copy = Buffer.from(file);
      const at = randomInt(copy.length);
      copy[at] = (copy[at] as number) ^ 0xff;
      return copy;
    },
    'replaced by another label': () => Buffer.alloc(0), // filled in below
  };

  test.each(Object.keys(LABEL_LINK_ENDPOINTS))(
    '%s: a damaged or missing file is whole again on the next request',
    async (title) => {
      const requestLink = LABEL_LINK_ENDPOINTS[title] as (typeof LABEL_LINK_ENDPOINTS)[string];
      const { _id, pdfUrl } = await create(own, account);
      const other = await create(own, account);
      await requestLink(own, account, other._id);
      const link = await requestLink(own, account, _id);
      const whole = (await followLink(own, link)).bytes;
      damages['replaced by another label'] = () => foreign;
      const foreign = (await store().read(nameOf(other.pdfUrl))) as Buffer;

      for (const damage of Object.values(damages)) {
        for (let round = 0; round < 5; round++) {
          await store().write(nameOf(pdfUrl), damage(whole));
          await requestLink(own, account, _id);
          expect((await store().read(nameOf(pdfUrl)))?.equals(whole)).toBe(true); // before anybody asks for the file
          expect((await followLink(own, link)).bytes.equals(whole)).toBe(true);
        }
      }
      await store().delete(nameOf(pdfUrl));
      expect(await store().read(nameOf(pdfUrl))).toBe(null);
      await requestLink(own, account, _id);
      expect((await store().read(nameOf(pdfUrl)))?.equals(whole)).toBe(true);
      expect((await followLink(own, link)).bytes.equals(whole)).toBe(true);
    },
  );
});

describe('while the store is out of reach', () => {
  test('labels are drawn and served all the same, and the log says so', async () => {
    const bucket = await startPrivateBucket();
    await bucket.stop();
    const own = await startTestServer(bucket.environment);
    try {
      const account = await own.createAccount({ paymentMode: 'deferred' });
      const { _id, pdfUrl } = await create(own, account);
      expect((await own.call(account, 'POST', `/shipping/${_id}/view-link`)).status).toBe(200);
      expect(await faultsOfPdf((await followLink(own, pdfUrl)).bytes)).toBe('');
      expect(own.logged()).toContain('label store: read failed');
      expect(own.logged()).not.toContain(pdfUrl);
    } finally {
      await own.stop();
    }
  });
});
