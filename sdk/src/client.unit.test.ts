import { expect, test } from 'vitest';
import { type Attempt, Navette, NavetteError } from './index.ts';

const account = { url: 'https://api.example.org/', apiKey: 'key', clientId: 'client' };
const request = {
  deliveryAddress: { recipientName: 'C', street: 's', city: 'c', postalCode: 'p', phoneNumber: '1', email: 'a@b.org' },
  parcelDetails: { weight: 1, nature: 'Livre' },
};

test('an aborted call ends at once, also while it waits', async () => {
  const controller = new AbortController();
  const navette = new Navette({
    ...account,
    backoffMs: 1_000_000,
    fetch: () => Promise.reject(new TypeError('no network')),
    onAttempt: () => controller.abort(new Error('shutting down')),
  });
  const call = navette.shipments.create(request, { signal: controller.signal });
  await expect(call).rejects.toMatchObject({ slug: 'aborted', cause: { message: 'shutting down' } });
  const again = navette.shipments.get('1', { signal: controller.signal });
  await expect(again).rejects.toMatchObject({ slug: 'aborted' });
});

test('attempts are reported without bodies and personal data, and have different request ids but one key', async () => {
  const attempts: Attempt[] = [];
  const keys: (string | null)[] = [];
  const navette = new Navette({
    ...account,
    backoffMs: 1,
    retries: 2,
    fetch: (_url, { headers }) => {
      keys.push(new Headers(headers).get('x-idempotency-key'));
      return Promise.resolve(
        Response.json({ success: false, error: 'INTERNAL_ERROR', message: 'Erreur' }, { status: 500 }),
      );
    },
    onAttempt: (attempt) => attempts.push(attempt),
  });
  const failure = await navette.shipments.create(request).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(NavetteError);
  expect(failure).toMatchObject({ slug: 'INTERNAL_ERROR', attempts: 3, idempotencyKey: keys[0] });
  expect(new Set(keys).size).toBe(1);
  expect(new Set(attempts.map(({ requestId }) => requestId)).size).toBe(3);
  expect(attempts.map(({ operation, status }) => [operation, status])).toEqual(Array(3).fill(['createShipment', 500]));
  expect(JSON.stringify(attempts)).not.toContain('a@b.org');
});

test('the key is not sent to the address of a label, and no redirect is followed', async () => {
  const calls: [string, RequestInit][] = [];
  const navette = new Navette({
    ...account,
    fetch: async (url, init) => {
      calls.push([url, init]);
      const downloadUrl = 'https://files.example.org/pdfs/bordereau_1.pdf';
      if (url !== downloadUrl) return Response.json({ success: true, downloadUrl, filename: '', action: 'download' });
      return new Response('%PDF-', { headers: { 'content-type': 'application/pdf' } });
    },
  });
  expect(await navette.labels.pdf('1')).toEqual(new TextEncoder().encode('%PDF-'));
  expect(calls[0]?.[0]).toBe('https://api.example.org/pro/api/v1/shipping/1/download-link');
  expect(calls.map(([, { headers }]) => new Headers(headers).has('authorization'))).toEqual([true, false]);
  expect(calls.map(([, { redirect }]) => redirect)).toEqual(['manual', 'manual']);
});

test('a slug narrows the fields of the error', () => {
  const error = new NavetteError('INSUFFICIENT_BALANCE', 'Solde insuffisant', { fields: { requiredAmount: 8.5 } });
  const missing: number | null = error.is('INSUFFICIENT_BALANCE') ? error.fields.requiredAmount : null;
  expect(missing).toBe(8.5);
});

test.each(['url', 'apiKey', 'clientId'])('a client without %s is refused when it is made', (name) => {
  expect(() => new Navette({ ...account, [name]: '' })).toThrow(`\`${name}\` is missing`);
});

test('a request that cannot be sent is not retried', async () => {
  const navette = new Navette({ ...account, fetch: () => Promise.reject(new Error('not reached')) });
  await expect(navette.shipments.create(request, { idempotencyKey: ' ' })).rejects.toThrow('is blank');
  await expect(navette.shipments.create(request, { idempotencyKey: 'clé-ł' })).rejects.toThrow(TypeError);
  expect(() => new Navette({ ...account, url: 'api.example.org' })).toThrow(TypeError);
});

test('a failure of onAttempt is not taken for a failure of the request', async () => {
  let sent = 0;
  const navette = new Navette({
    ...account,
    fetch: async () => Response.json({ success: true, account: { sent: ++sent } }),
    onAttempt: () => {
      throw new Error('metrics are down');
    },
  });
  await expect(navette.account.get()).rejects.toThrow('metrics are down');
  expect(sent).toBe(1);
});

test('a slow reader of the export is no reason to give it up, a silent server is', async () => {
  const parts = ['{"success":true,"shippings":[{"_id":"1"}', ',{"_id":"2"}', ']}'];
  const open = (isSilent: boolean) =>
    new Navette({
      ...account,
      timeoutMs: 20,
      fetch: async (_url, { signal }) => {
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
          pull(controller) {
            const part = parts[sent++];
            if (part !== undefined) controller.enqueue(new TextEncoder().encode(part));
            else if (!isSilent) controller.close();
          },
        });
        let sent = 0;
        return new Response(isSilent ? body.pipeThrough(without(']}')) : body, {
          headers: { 'content-type': 'application/json; charset=utf-8' },
        });
      },
    }).shipments.export();
  const ids: string[] = [];
  for await (const { _id } of open(false)) {
    ids.push(_id);
    await new Promise((resume) => setTimeout(resume, 60));
  }
  expect(ids).toEqual(['1', '2']);
  const readSilent = async () => {
    for await (const { _id } of open(true)) ids.push(_id);
  };
  await expect(readSilent()).rejects.toMatchObject({ slug: 'timeout' });
});

/** Passes everything but this text. */
const without = (left: string) =>
  new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      if (new TextDecoder().decode(part) !== left) controller.enqueue(part);
    },
  });
