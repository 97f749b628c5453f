import { type AssignmentResult, type BoardRefusal, type ConsoleShipment, UNDO_SECONDS } from '@navette/contract';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { Refusal } from '../../refusals/refusal.ts';
import {
  assignAnyShipment,
  type OperatorContext,
  type OperatorResult,
  readAnyConsoleShipment,
  undoAnyAssignment,
} from '../dispatch/index.ts';
import { authorizeStaff, listActsOfCommand, type SignedInStaff } from '../staff/index.ts';

export interface BoardContext {
  db: Database;
  jobs: JobSender;
  config: Pick<Config, 'dispatch' | 'driverPay' | 'timeZone'>;
  staff: SignedInStaff;
  now: Date;
}

interface Assignment {
  commandId: string;
  driverId: string;
  rows: { shipmentId: string; version: string }[];
}

/** A repeated request to undo gets the same results for this long. */
const ACTS_READ_MS = 600_000;

/**
 * Assigns each shipment in a transaction of its own. A crash leaves whole rows: the same command, sent again, finds those
 * that were done in the log of acts and does the others.
 */
export async function assignAnyShipments(
  context: BoardContext,
  { commandId, driverId, rows }: Assignment,
): Promise<AssignmentResult[]> {
  const limit = { runsPerDriver: context.config.dispatch.runsPerDriver };
  const results: AssignmentResult[] = [];
  for (const { shipmentId, version } of rows) {
    const act = { ...contextOfRow(context, commandId), version };
    const work = () => assignAnyShipment(act, shipmentId, driverId, limit);
    results.push(await resultOf(context.db, shipmentId, isUuid(shipmentId) ? work : unknown));
  }
  return results;
}

/** Undoes the rows of an assignment by the same person. Null when there is no such assignment of the last minutes. */
export async function undoAnyAssignments(context: BoardContext, commandId: string): Promise<AssignmentResult[] | null> {
  const { db, staff, now } = context;
  const since = new Date(now.getTime() - ACTS_READ_MS);
  const acts = await listActsOfCommand(db, staff.staffId, { act: 'shipment.assigned', commandId, since });
  if (acts.length === 0) return null;
  const undone = await listActsOfCommand(db, staff.staffId, { act: 'shipment.assignment_undone', commandId, since });
  const isUndone = new Set(undone.map(({ subjectId }) => subjectId));
  const results: AssignmentResult[] = [];
  for (const { at, subjectId, details } of acts) {
    const shipmentId = subjectId ?? '';
    const act = { ...contextOfRow(context, commandId), version: String(details.version) };
    const isTooLate = now.getTime() > at.getTime() + UNDO_SECONDS * 1_000 && !isUndone.has(shipmentId);
    const work = isTooLate ? tooLate : () => undoAnyAssignment(act, shipmentId);
    results.push(await resultOf(db, shipmentId, work));
  }
  return results;
}

const contextOfRow = ({ db, jobs, config, staff, now }: BoardContext, commandId: string): OperatorContext => ({
  ...{ db, jobs, config, now, commandId },
  authorize: authorizeStaff(staff, 'dispatch', now),
});

type RowWork = () => Promise<OperatorResult> | OperatorResult | { outcome: 'too-late' };
const unknown: RowWork = () => ({ outcome: 'unknown' });
const tooLate: RowWork = () => ({ outcome: 'too-late' });

/** The result of one row, with the shipment as it is afterwards. */
async function resultOf(db: Database, shipmentId: string, work: RowWork): Promise<AssignmentResult> {
  const result = await outcomeOf(work);
  const shipment: ConsoleShipment | null = isUuid(shipmentId) ? await readAnyConsoleShipment(db, shipmentId) : null;
  return { shipmentId, ...result, shipment };
}

type Outcome = Pick<AssignmentResult, 'outcome' | 'refusal' | 'conflict'>;

async function outcomeOf(work: RowWork): Promise<Outcome> {
  try {
    const result = await work();
    if (result.outcome === 'done') return { outcome: 'done', refusal: null, conflict: null };
    if (result.outcome === 'not-allowed') return refused(result.obstacle ?? 'status');
    return refused(result.outcome === 'too-late' ? 'too_late' : 'unknown');
  } catch (error) {
    if (!(error instanceof Refusal) || error.envelope.error !== 'CHANGED_MEANWHILE') throw error;
    const { by, at, change } = error.envelope;
    return { outcome: 'changed', refusal: null, conflict: { by: text(by), at: text(at), change: text(change) } };
  }
}

const refused = (refusal: BoardRefusal): Outcome => ({ outcome: 'refused', refusal, conflict: null });
const text = (value: unknown) => (typeof value === 'string' ? value : null);
