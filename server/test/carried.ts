import type { TestStaff } from './console.ts';
import { factsOf, ship } from './dispatched.ts';
import { overHttp, type SendCommand, type TestDriver } from './driver-app.ts';
import type { TestAccount, TestServer } from './test-server.ts';

/** Staff assign a shipment, as the console does. */
export async function assignTo(staff: TestStaff, id: string, driver: Pick<TestDriver, 'id'>): Promise<void> {
  const { shipment } = (await staff.call('listAssignableDrivers', { params: { id } })).body;
  const body = { driverId: driver.id, version: shipment.version };
  const { status, body: answer } = await staff.call('assignShipment', { params: { id }, body });
  if (status !== 200) throw new Error(JSON.stringify(answer));
}

export interface Carried {
  id: string;
  reference: string;
  send: SendCommand;
  code: string;
}

/** A new shipment that staff assigned to this driver, who is on the way with it. */
export async function carriedBy(
  server: Pick<TestServer, 'call' | 'db' | 'url'>,
  shop: TestAccount,
  staff: TestStaff,
  driver: TestDriver,
  changes: Parameters<typeof ship>[2] = {},
): Promise<Carried> {
  const { _id: id, referenceNumber: reference } = await ship(server, shop, changes);
  await assignTo(staff, id, driver);
  const send = overHttp(server.url, driver);
  await send('pickUp', { id });
  await send('depart', { id });
  return { id, reference, send, code: (await factsOf(server, id)).code };
}

/** Five wrong codes, after which only staff can confirm the delivery. */
export async function lockCode({ id, send, code }: Carried): Promise<void> {
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  for (let tries = 1; tries <= 5; tries++) await send('deliver', { id, deliveryCode: wrong });
}
