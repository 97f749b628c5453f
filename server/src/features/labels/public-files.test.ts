import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { followLink } from '../../../test/call-label.ts';
import { faultsOfPdf } from '../../../test/pdf-tools.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { newReferenceNumber } from '../shipments/reference-number.ts';

let server: TestServer;
let shop: TestAccount;
let referenceNumber: string;
let path: string;
let whole: Buffer;
let minutes = 0;
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ paymentMode: 'deferred' });
  const { body } = await server.call(shop, 'POST', '/shipping', { body: shipmentRequest() });
  ({ referenceNumber, pdfUrl: path } = body.shipping);
  whole = (await followLink(server, path)).bytes;
});
afterAll(() => server.stop());
/** Wrong names are counted by the minute: each test starts in one of its own. */
afterEach(() => server.setNow(new Date(Date.now() + ++minutes * 60_000)));

const get = (headers: Record<string, string> = {}, query = '') => followLink(server, `${path}${query}`, { headers });

describe('a label file', () => {
  test('needs no key, is a valid PDF, and has the right headers', async () => {
    const { status, headers, bytes } = await get();
    expect(status).toBe(200);
    expect(await faultsOfPdf(bytes)).toBe('');
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(bytes.length),
      'content-disposition': `inline; filename="bordereau_${referenceNumber}.pdf"`,
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
    });
  });

  test('asked for as a download is saved under its display name', async () => {
    expect((await get({}, '?download')).headers.get('content-disposition')).toBe(
      `attachment; filename="bordereau_${referenceNumber}.pdf"`,
    );
  });

  test('HEAD gives the same headers and no body', async () => {
    const { status, headers, bytes } = await followLink(server, path, { method: 'HEAD' });
    expect({ status, length: headers.get('content-length'), body: bytes.length }).toEqual({
      status: 200,
      length: String(whole.length),
      body: 0,
    });
  });

  test.each([
    ['bytes=0-99', 0, 100],
    ['bytes=100-', 100, undefined],
    ['bytes=-50', -50, undefined],
    ['bytes=10-999999999', 10, undefined],
  ])('the part %s is answered with 206 and exactly those bytes', async (range, start, end) => {
    const { status, headers, bytes } = await get({ range });
    const part = whole.subarray(start, end);
    const first = start < 0 ? whole.length + start : start;
    expect(status).toBe(206);
    expect(headers.get('content-range')).toBe(`bytes ${first}-${first + part.length - 1}/${whole.length}`);
    expect(bytes.equals(part)).toBe(true);
  });

  test.each(['bytes=0-1,5-6', 'lines=0-1', 'bytes=x'])(
    '%s, which cannot be one part, is answered whole',
    async (range) => {
      const { status, bytes } = await get({ range });
      expect(status).toBe(200);
      expect(bytes.equals(whole)).toBe(true);
    },
  );

  test('a part beyond its end is 416 and says how long it is', async () => {
    const { status, headers } = await get({ range: `bytes=${whole.length}-` });
    expect(status).toBe(416);
    expect(headers.get('content-range')).toBe(`bytes */${whole.length}`);
  });

  test('HEAD has no parts: it says how long the whole is', async () => {
    const { status, headers } = await followLink(server, path, { method: 'HEAD', headers: { range: 'bytes=0-9' } });
    expect([status, headers.get('content-length')]).toEqual([200, String(whole.length)]);
  });

  test('a client that has it already gets 304; a part of an older version is not mixed with this one', async () => {
    const etag = (await get()).headers.get('etag') as string;
    for (const known of [etag, `W/${etag}`, `"older" , ${etag}`, '*']) {
      expect(await get({ 'if-none-match': known })).toMatchObject({ status: 304, bytes: Buffer.alloc(0) });
    }
    expect((await get({ range: 'bytes=0-9', 'if-range': etag })).status).toBe(206);
    expect((await get({ range: 'bytes=0-9', 'if-range': '"older"' })).status).toBe(200);
  });
});

describe('what is not a label file', () => {
  const wrong = () => [
    '/pdfs',
    '/pdfs/',
    '/pdfs/..%2f..%2fetc%2fpasswd',
    `/pdfs/bordereau_${referenceNumber}.pdf`,
    `/pdfs/bordereau_${referenceNumber}_${'0'.repeat(32)}.pdf`,
    path.toUpperCase().replace('/PDFS/', '/pdfs/'),
    `${path}.bak`,
    `/pdfs/${'x'.repeat(150)}`,
  ];

  test('is 404, and its answer is the same for a real reference and for nonsense', async () => {
    const answers = await Promise.all(wrong().map((link) => followLink(server, link)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    const [real, other] = [answers[3], answers[2]].map((answer) => answer?.bytes.toString());
    expect(real).toBe(other);
    expect(answers[4]?.headers.get('x-robots-tag')).toBe('noindex, nofollow');
  });

  test('its secret part is in no log', () => {
    expect(server.logged()).not.toContain(path.slice(-36, -4));
  });

  test('a hundred thousand guesses find nothing, and nearly all are throttled without a query', async () => {
    const guesses = Array.from({ length: 100_000 }, (_, i) => {
      const reference = i % 2 ? referenceNumber : newReferenceNumber();
      return `/pdfs/bordereau_${reference}_${randomBytes(16).toString('hex')}.pdf`;
    });
    const counts = await pipelined(server.url, guesses);
    expect(Object.keys(counts).sort()).toEqual(['404', '429']);
    expect(counts[404]).toBeLessThanOrEqual(30 * 2); // a minute may end meanwhile
    expect(counts[429]).toBe(100_000 - (counts[404] ?? 0));
    expect((await get()).status).toBe(429); // from this IP address even a correct guess gets a 429
  });
});

/** Statuses of many requests on one connection, counted. */
async function pipelined(url: string, paths: string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
  let answered = 0;
  let rest = '';
  const wake = () => socket.emit('answered');
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const status = /^(?:.*})?HTTP\/1\.1 (\d+)/.exec(line)?.[1];
      if (!status) continue;
      counts[status] = (counts[status] ?? 0) + 1;
      answered++;
    }
    wake();
  });
  for (let sent = 0; sent < paths.length; sent += 500) {
    const batch = paths.slice(sent, sent + 500);
    socket.write(batch.map((path) => `GET ${path} HTTP/1.1\r\nHost: labels\r\n\r\n`).join(''));
    while (answered < sent + batch.length) await once(socket, 'answered');
  }
  socket.destroy();
  return counts;
}
