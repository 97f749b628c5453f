import { readSystemUser } from '../config.ts';
import type { Database } from '../database/database.ts';
import type { OperatorContext, OperatorResult } from '../features/dispatch/index.ts';
import type { NewOperatorAct, OperatorActor } from '../features/staff/index.ts';
import { CommandFailure } from './failure.ts';
import { withEngines, withJobs } from './with-engines.ts';

/** The person at the command line, as the log of acts names them. */
export const cliActor = (): OperatorActor => ({ kind: 'cli', name: readSystemUser() });

/**
 * Runs a command that changes something, and its entry of the log of acts, in one transaction. `work` returns null as the
 * act when nothing changed.
 */
export async function actAtCommandLine<T>(
  db: Database,
  work: (db: Database) => Promise<{ result: T; act: NewOperatorAct | null }>,
): Promise<T> {
  const { joinTransaction } = await import('../database/join-transaction.ts');
  const { recordOperatorAct } = await import('../features/staff/index.ts');
  return db.transaction().execute(async (tx) => {
    const { result, act } = await work(joinTransaction(tx));
    if (act) await recordOperatorAct(tx, cliActor(), act, new Date());
    return result;
  });
}

/**
 * The handle for a use case that opens a transaction of its own: it ends with the entry of the log of acts. `describe` gets
 * the transaction's result, and returns null when nothing changed.
 */
export async function recordedAtCommandLine<T>(
  db: Database,
  describe: (result: T) => NewOperatorAct | null,
): Promise<Database> {
  const { endTransactionWith } = await import('../database/join-transaction.ts');
  const { recordOperatorAct } = await import('../features/staff/index.ts');
  return endTransactionWith(db, async (tx, result) => {
    const act = describe(result as T);
    if (act) await recordOperatorAct(tx, cliActor(), act, new Date());
  });
}

/** A driver is named by id: the log is kept longer than the driver's name. */
export const driverSubject = (id: string) => ({ type: 'driver', id, title: id });

export async function accountSubject(db: Database, id: string) {
  const account = await db.selectFrom('accounts').select('name').where('id', '=', id).executeTakeFirst();
  return { type: 'account', id, title: account?.name ?? id };
}

/** Runs an act on a shipment, with its entry of the log. Fails with the reason why the shipment cannot be changed. */
export async function actOnShipment(
  context: OperatorContext,
  { reference, what, ...act }: Pick<NewOperatorAct, 'act' | 'reason' | 'details'> & { reference: string; what: string },
  work: (context: OperatorContext) => Promise<OperatorResult>,
) {
  const { findAnyShipment } = await import('../features/dispatch/index.ts');
  const found = await findAnyShipment(context.db, reference);
  const subject = found && { type: 'shipment', id: found.id, title: found.referenceNumber };
  const db = await recordedAtCommandLine<OperatorResult>(context.db, ({ outcome }) =>
    outcome === 'done' ? { ...act, subject } : null,
  );
  return orRefusal(await work({ ...context, db }), reference, what);
}

/** Runs a command of the operator, across accounts. */
export async function withOperatorContext(work: (context: OperatorContext) => Promise<void>): Promise<void> {
  await withEngines((engines) =>
    withJobs(engines, (jobs) => work({ db: engines.db, jobs, config: engines.config, now: new Date() })),
  );
}

/** The result, or a failure that says why the shipment cannot be changed. */
function orRefusal(outcome: OperatorResult, reference: string, what: string) {
  if (outcome.outcome === 'done') return outcome;
  if (outcome.outcome === 'unknown') throw new CommandFailure(`no shipment ${reference}`);
  throw new CommandFailure(
    `${reference} cannot ${what}: ${outcome.why ?? `it is ${outcome.status.replace('_', ' ')}`}`,
  );
}
