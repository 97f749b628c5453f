import { afterAll, beforeAll, expect, test } from 'vitest';
import { followLink, LABEL_LINK_ENDPOINTS } from '../call-label.ts';
import { ship } from '../dispatched.ts';
import { type FakeMailbox, startFakeMailbox } from '../fake-mailbox.ts';
import { faultsOfPdf, textOfPages } from '../pdf-tools.ts';
import { shipmentRequest } from '../shipment-request.ts';
import type { TestServer } from '../test-server.ts';
import { startTestWorker, workDone } from '../test-worker.ts';
import { startAttackedServer } from './tenant.ts';

const LINES = [
  'Zoé\r\nBcc: victim@evil.example',
  'Zoé\nSubject: Autre chose',
  'Zoé\r\n\r\n<html>second body</html>',
  'Zoé\r\n.\r\nMAIL FROM:<x@evil.example>',
  '(Zoé) /JS (app.alert(1)) /OpenAction',
  ') Tj ET endstream endobj',
  '%PDF-1.7 << /Launch >>',
  '{"level":50,"msg":"forged"}\n{"level":10}',
  'Zoé\u2028forged\u2029',
  '../../etc/passwd',
  'a"; filename="evil.exe',
];

let mailbox: FakeMailbox;
let server: TestServer;
beforeAll(async () => {
  mailbox = await startFakeMailbox();
  server = await startAttackedServer({ MAIL_URL: mailbox.url, LOG_LEVEL: 'debug' });
});
afterAll(async () => {
  await server.stop();
  await mailbox.stop();
});

test('text of a shipment adds no header, recipient or second message to a mail, and no line to a log', async () => {
  const worker = await startTestWorker(server);
  for (const line of LINES) {
    const account = await server.createAccount({ name: line, paymentMode: 'deferred' });
    const deliveryAddress = {
      ...shipmentRequest().deliveryAddress,
      recipientName: line,
      city: line,
      email: 'recipient@example.org',
    };
    const headers = { 'x-idempotency-key': encodeURIComponent(line), 'x-request-id': 'a-good-request-id' };
    const answer = await server.call(account, 'POST', '/shipping', {
      body: shipmentRequest({ deliveryAddress, notes: line }),
      headers,
    });
    expect([line, answer.status]).toEqual([line, 201]);
  }
  await workDone(server);
  await worker.stop();
  expect(mailbox.mails).toHaveLength(LINES.length);
  for (const { envelope, headers, to, bcc, cc } of mailbox.mails) {
    expect({ envelope, to: to.length, bcc, cc }).toEqual({
      envelope: ['recipient@example.org'],
      to: 1,
      bcc: undefined,
      cc: undefined,
    });
    expect(headers.filter(({ key }) => key === 'subject')).toHaveLength(1);
  }
  for (const text of [server.logged(), worker.logged()]) {
    const entries = text
      .split('\n')
      .filter(Boolean)
      .map((entry) => JSON.parse(entry) as { pid?: number; msg?: string });
    expect(entries.filter(({ pid, msg }) => pid !== process.pid || msg === 'forged')).toEqual([]);
  }
});

test('text of a shipment is text in its label: a clean file without scripts, saved under a name of ours', async () => {
  const account = await server.createAccount({ paymentMode: 'deferred' });
  for (const line of LINES) {
    const deliveryAddress = { ...shipmentRequest().deliveryAddress, recipientName: line, street: line };
    const { _id, referenceNumber } = await ship(server, account, { deliveryAddress, notes: line });
    const requestLink = LABEL_LINK_ENDPOINTS['POST /shipping/:id/download-link'];
    const { bytes, headers } = await followLink(server, (await requestLink?.(server, account, _id)) ?? '');
    expect([line, await faultsOfPdf(bytes)]).toEqual([line, '']);
    expect(bytes.toString('latin1')).not.toMatch(/\/(JavaScript|OpenAction|Launch|EmbeddedFile)\b/);
    expect(await textOfPages(bytes)).toHaveLength(1);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="bordereau_${referenceNumber}.pdf"`);
  }
});
