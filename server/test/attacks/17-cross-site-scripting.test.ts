import { afterAll, beforeAll, expect, test } from 'vitest';
import { signReference } from '../../src/features/shipments/signed-reference.ts';
import { ship } from '../dispatched.ts';
import { type FakeMailbox, startFakeMailbox } from '../fake-mailbox.ts';
import { shipmentRequest } from '../shipment-request.ts';
import type { TestServer } from '../test-server.ts';
import { workDone } from '../test-worker.ts';
import { withWorker } from '../with-worker.ts';
import { readOperations } from './operations.ts';
import { startAttackedServer } from './tenant.ts';
import { sendRaw, type WireAnswer } from './wire.ts';

const SCRIPTS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'-alert(1)-'",
  '</title><svg onload=alert(1)>',
  '{{7*7}}',
  'javascript:alert(1)',
];
/** Texts that would run in a page that does not escape them. */
const LIVE = /<script>alert|<img src=x|<svg onload|<iframe|href=["']?javascript:/i;

let mailbox: FakeMailbox;
let server: TestServer;
beforeAll(async () => {
  mailbox = await startFakeMailbox();
  server = await startAttackedServer({ MAIL_URL: mailbox.url });
});
afterAll(async () => {
  await server.stop();
  await mailbox.stop();
});

const get = (path: string): Promise<WireAnswer> =>
  sendRaw(server.url, { method: 'GET', path, headers: { accept: 'text/html', 'accept-language': 'fr' } });
const isPage = ({ type }: WireAnswer) => type.startsWith('text/html');

/** The policy forbids what an injected element could do, so that one forgotten escape is not yet an attack. */
function expectPolicy(path: string, { headers }: WireAnswer): void {
  const policy = String(headers['content-security-policy'] ?? '');
  const directives = new Map(
    policy
      .split(';')
      .map((part) => part.trim().split(/\s+/))
      .map(([name = '', ...values]) => [name, values]),
  );
  const scripts = directives.get('script-src') ?? directives.get('default-src') ?? ['*'];
  const facts = {
    framing: directives.get('frame-ancestors'),
    inlineScripts: scripts.includes("'unsafe-inline'") && !scripts.some((source) => /^'(nonce|sha256)-/.test(source)),
    anyScript: scripts.some((source) => ['*', 'https:', 'http:', 'data:', "'unsafe-eval'"].includes(source)),
    objects: directives.get('object-src') ?? directives.get('default-src'),
    base: directives.get('base-uri'),
    sniffing: headers['x-content-type-options'],
  };
  expect([path, facts]).toEqual([
    path,
    {
      framing: ["'none'"],
      inlineScripts: false,
      anyScript: false,
      objects: ["'none'"],
      base: ["'none'"],
      sniffing: 'nosniff',
    },
  ]);
}

test('names, addresses and notes are text on the recipient’s page and in every mail', async () => {
  for (const script of SCRIPTS) {
    const account = await server.createAccount({ name: script, paymentMode: 'deferred' });
    const deliveryAddress = {
      ...shipmentRequest().deliveryAddress,
      recipientName: script,
      street: script,
      city: script,
    };
    const collectionContact = { name: script, phoneNumber: '+33612345678', email: 'contact@example.org' };
    const { referenceNumber } = await ship(server, account, { deliveryAddress, notes: script });
    await ship(server, account, { deliveryAddress, notes: script, isCollection: true, collectionContact });
    const path = `/t/${signReference(server.config.linkSecrets, 'track', referenceNumber)}`;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({ note: script }).toString();
    const saved = await sendRaw(server.url, { method: 'POST', path: `${path}/note`, headers: form, body });
    expect(saved.status).toBe(303);
    for (const address of [path, `${path}/state`, `/t/${encodeURIComponent(script)}`]) {
      const answer = await get(address);
      expect([address, answer.body.match(LIVE)]).toEqual([address, null]);
      if (isPage(answer)) expectPolicy(address, answer);
    }
  }
  await withWorker(server, () => workDone(server));
  expect(mailbox.mails.length).toBeGreaterThanOrEqual(SCRIPTS.length);
  for (const { html, subject } of mailbox.mails) expect([subject, html?.match(LIVE)]).toEqual([subject, null]);
});

test('every page has a policy against scripts and frames, and an unknown address shows nothing of itself', async () => {
  const pages = ['/docs', '/docs/en/', '/driver/docs', '/driver/docs/', '/dashboard', '/dashboard/shipments', '/t/x'];
  for (const page of pages) {
    const answer = await get(page);
    expect([page, answer.headers['x-content-type-options']]).toEqual([page, 'nosniff']);
    if (isPage(answer)) expectPolicy(page, answer);
  }
  for (const script of SCRIPTS) {
    const answer = await get(`/${encodeURIComponent(script)}?x=${encodeURIComponent(script)}`);
    expect(answer.status).toBe(404);
    expect(answer.body).not.toMatch(LIVE);
  }
  for (const { path, method } of await readOperations(server.url)) {
    const answer = await sendRaw(server.url, { method, path: path.replaceAll(/[{}]/g, ''), headers: {} });
    expect([path, isPage(answer), answer.headers['x-content-type-options']]).toEqual([path, false, 'nosniff']);
  }
});
