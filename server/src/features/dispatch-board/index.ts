import { type AssignmentResult, UNDO_SECONDS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { startOfDateFilter } from '../../calendar/local-calendar.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { bindConsole } from '../../http/bind-console.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { refuseNotPossible } from '../../refusals/console-refusal.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { type DriverPositions, findDriver } from '../drivers/index.ts';
import { assignAnyShipments, undoAnyAssignments } from './assign-shipments.ts';
import { readDriverCursor, readTimeCursor } from './board-cursor.ts';
import { listBoardDrivers } from './list-board-drivers.ts';
import { listAnyBoardShipments } from './list-board-shipments.ts';
import { previewAnyAssignments } from './preview-assignments.ts';

interface DispatchBoardOptions {
  db: Database;
  positions: DriverPositions;
  jobs: JobSender;
  config: Pick<Config, 'dispatch' | 'driverPay' | 'inbox' | 'timeZone'>;
  now: () => Date;
}

const PAGE_ROWS = 100;

/** The dispatch board of the console: lists across accounts, and assignments of many shipments. */
export function serveDispatchBoard(app: FastifyInstance, { now, ...services }: DispatchBoardOptions): void {
  const { db, config } = services;

  bindConsole(app, 'listBoardShipments', async ({ query, answer }) => {
    const { list, from, after, until, limit = PAGE_ROWS } = query;
    const wanted = {
      list,
      from: from === undefined ? null : startOfDateFilter(from, config.timeZone),
      after: after === undefined ? null : readTimeCursor(after, 'after'),
      until: until === undefined ? null : readTimeCursor(until, 'until'),
      limit,
    };
    const page = await listAnyBoardShipments(db, wanted, config.timeZone);
    return answer(200, { success: true, at: now().toISOString(), ...page });
  });

  bindConsole(app, 'listBoardDrivers', async ({ query, answer }) => {
    const { name, after, until, limit = PAGE_ROWS } = query;
    const wanted = {
      name,
      after: after === undefined ? null : readDriverCursor(after, 'after'),
      until: until === undefined ? null : readDriverCursor(until, 'until'),
      limit,
    };
    const page = await listBoardDrivers(services, wanted);
    const { runsPerDriver } = config.dispatch;
    return answer(200, { success: true, at: now().toISOString(), runsPerDriver, ...page });
  });

  bindConsole(app, 'previewAssignments', async ({ body, answer }) => {
    if (!isUuid(body.driverId)) return refuseAsNotFound();
    const context = { ...services, now: now() };
    const preview = await previewAnyAssignments(context, body.driverId.toLowerCase(), body.shipmentIds);
    return preview ? answer(200, { success: true, ...preview }) : refuseAsNotFound();
  });

  bindConsole(app, 'assignShipments', async ({ staff, body, answer }) => {
    const driver = (await findDriver(db, body.driverId)) ?? refuseAsNotFound();
    if (driver.disabledAt) refuseNotPossible('driver_disabled');
    const at = now();
    const assignment = { ...body, driverId: driver.id };
    const results = await assignAnyShipments({ ...services, staff, now: at }, assignment);
    return answer(200, { success: true, at: now().toISOString(), undoUntil: undoUntil(results, at), results });
  });

  bindConsole(app, 'undoAssignments', async ({ staff, params, answer }) => {
    const results = await undoAnyAssignments({ ...services, staff, now: now() }, params.id);
    if (!results) return refuseAsNotFound();
    return answer(200, { success: true, at: now().toISOString(), undoUntil: null, results });
  });
}

/** Null when nothing was done that could be undone. */
function undoUntil(results: AssignmentResult[], at: Date): string | null {
  if (results.every(({ outcome }) => outcome !== 'done')) return null;
  return new Date(at.getTime() + UNDO_SECONDS * 1_000).toISOString();
}
