import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localDay } from '../../src/calendar/local-calendar.ts';
import { correctDriverBalance } from '../../src/features/driver-pay/index.ts';
import { countFigures } from '../../src/features/figures/count-figures.handler.ts';
import { closeMonths } from '../../src/features/invoices/close-month.ts';
import { createTestStaff, type TestStaff } from '../console.ts';
import { createTestMember, type TestMember } from '../dashboard.ts';
import { ship } from '../dispatched.ts';
import { createTestDriver, type TestDriver } from '../driver-app.ts';
import { importFile, importLine } from '../import-file.ts';
import { createTestIssuer } from '../invoicing.ts';
import { moveShipment } from '../move-shipment.ts';
import { shipmentRequest } from '../shipment-request.ts';
import type { TestServer } from '../test-server.ts';
import { pathWith } from './generate.ts';
import { type Api, describeOperation, hasPathParameter, type Operation, readOperations } from './operations.ts';
import { startAttackedServer } from './tenant.ts';
import { sendRaw } from './wire.ts';

const FORMULAS = [
  '=HYPERLINK("http://evil.example";"Cliquez")',
  "=cmd|'/C calc'!A0",
  '+1+1',
  '-2+3+cmd|x',
  '@SUM(1+1)',
  '\t=1+1',
  ' =1+1',
  '＝1+1',
  'Paris;=1+1',
  'Paris,=1+1',
  'Paris\n=1+1',
  '"=1+1',
];
const RISKY_CELL = /^\s*[=+\-@＝＋－＠\t\r]/;
const PLAIN_NUMBER = /^-?\d+([.,]\d+)?$/;

const thisMonth = () => localDay(new Date(), 'Europe/Paris').slice(0, 7);

let server: TestServer;
let owner: TestMember;
let admin: TestStaff;
let driver: TestDriver;
let files: Operation[];
let importId: string;
beforeAll(async () => {
  server = await startAttackedServer();
  const account = await server.createAccount({ name: String(FORMULAS[0]), paymentMode: 'deferred' });
  owner = await createTestMember(server, account.id);
  files = (await readOperations(server.url)).filter(({ responses }) => responses.get(200)?.['text/csv']);
  driver = await createTestDriver(server.db);
  admin = await createTestStaff(server);
  for (const text of FORMULAS) {
    const body = { name: text, language: 'fr' };
    await admin.call('updateProfile', { body });
    await correctDriverBalance(server.db, driver.id, 100, text);
    const deliveryAddress = {
      ...shipmentRequest().deliveryAddress,
      recipientName: text,
      street: text,
      city: text,
      phoneNumber: text,
    };
    await ship(server, account, {
      deliveryAddress,
      notes: text,
      groupReference: text,
      externalReference: { orderId: text, shopDomain: text },
      parcelDetails: { weight: 1, nature: text },
    });
  }
  const { _id: cancelled } = await ship(server, account);
  await moveShipment(server, account, cancelled, 'cancel');
  const inTwoMonths = new Date(Date.now() + 62 * 86_400_000);
  await closeMonths(server.db, createTestIssuer(), account.id, thisMonth(), inTwoMonths);
  await countFigures(server.db, server.config.timeZone, new Date());
  const lines = FORMULAS.map((text) =>
    importLine(`"${text.replaceAll('"', '""')}"`, { 'E-mail': `"${text.replaceAll('"', '""')}"` }),
  );
  const { body } = await owner.call('previewImport', { body: { filename: '=1+1.csv', text: importFile(lines) } });
  importId = body.import._id ?? body.import.id;
});
afterAll(() => server.stop());

/** Every cell as a spreadsheet with this separator would see it, whichever separator the file was written for. */
const cellsOf = (text: string, delimiter: string): string[] =>
  (
    parse(text.replace(/^\uFEFF/, ''), { delimiter, relax_column_count: true, relax_quotes: true }) as string[][]
  ).flat();

function headersFor(api: Api): Record<string, string> {
  if (api === 'driver') return { authorization: `Bearer ${driver.token}` };
  return { cookie: api === 'console' ? admin.cookie : owner.cookie };
}

test('no cell of any file that the service writes is run by a spreadsheet, whatever separator it expects', async () => {
  let seen = 0;
  for (const operation of files) {
    for (const language of ['fr', 'en']) {
      const parameter = operation.path.includes('{month}') ? thisMonth() : importId;
      const path = hasPathParameter(operation) ? pathWith(operation, parameter) : operation.path;
      const { status, body } = await sendRaw(server.url, {
        method: 'GET',
        path: `${path}?language=${language}&by=merchant`, // `by` is of the figures
        headers: headersFor(operation.api),
      });
      expect([describeOperation(operation), status]).toEqual([describeOperation(operation), 200]);
      for (const delimiter of [';', ',', '\t']) {
        const risky = cellsOf(body, delimiter).filter((cell) => RISKY_CELL.test(cell) && !PLAIN_NUMBER.test(cell));
        expect([describeOperation(operation), delimiter, risky]).toEqual([describeOperation(operation), delimiter, []]);
      }
      if (body.includes('HYPERLINK')) seen++;
    }
  }
  expect(files.length).toBeGreaterThanOrEqual(4);
  expect(seen).toBeGreaterThanOrEqual(8); // the formulas are in the files, as text
});
