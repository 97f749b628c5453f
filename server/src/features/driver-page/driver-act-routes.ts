import type { FastifyInstance } from 'fastify';
import { bindConsole } from '../../http/bind-console.ts';
import type { SignedInStaff } from '../../http/staff-authentication.ts';
import { removeDriverDocument, setDriverDocument } from './change-document.ts';
import {
  correctDriverPay,
  createDriverAsStaff,
  type DriverActContext,
  disableDriverAsStaff,
  endDriverSession,
  inviteDriver,
} from './change-driver.ts';
import { listDriverPage } from './list-drivers.ts';

export type DriverActOptions = Omit<DriverActContext, 'staff' | 'now'> & { now: () => Date };

/** Acts of staff on drivers, with the use cases of the command line. */
export function serveDriverActs(app: FastifyInstance, { now, ...services }: DriverActOptions): void {
  const contextFor = (staff: SignedInStaff): DriverActContext => ({ ...services, staff, now: now() });

  bindConsole(app, 'listDrivers', async ({ query, answer }) =>
    answer(200, { success: true, ...(await listDriverPage(services.db, query.cursor)) }),
  );

  bindConsole(app, 'createDriver', async ({ staff, body, answer }) =>
    answer(201, { success: true, id: await createDriverAsStaff(contextFor(staff), body) }),
  );

  bindConsole(app, 'inviteDriver', async ({ staff, params, body, answer }) => {
    await inviteDriver(contextFor(staff), params.id, body.by);
    return answer(200, { success: true });
  });

  bindConsole(app, 'endDriverSession', async ({ staff, params, answer }) => {
    await endDriverSession(contextFor(staff), params.id, params.sessionId);
    return answer(200, { success: true });
  });

  bindConsole(app, 'disableDriver', async ({ staff, params, body, answer }) => {
    await disableDriverAsStaff(contextFor(staff), params.id, body.reason);
    return answer(200, { success: true });
  });

  bindConsole(app, 'setDriverDocument', async ({ staff, params, body, answer }) => {
    await setDriverDocument(contextFor(staff), { driverId: params.id, kind: params.kind }, body);
    return answer(200, { success: true });
  });

  bindConsole(app, 'removeDriverDocument', async ({ staff, params, body, answer }) => {
    await removeDriverDocument(contextFor(staff), { driverId: params.id, kind: params.kind }, body.version);
    return answer(200, { success: true });
  });

  bindConsole(app, 'correctDriverPay', async ({ staff, params, body, answer }) => {
    await correctDriverPay(contextFor(staff), params.id, body);
    return answer(200, { success: true });
  });
}
