import type { DriverEndpointName, DriverErrorSlug, MapPoint } from '@navette/contract';
import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { refuseDriver } from '../../refusals/driver-refusal.ts';

/** By then no phone repeats a command. Its place is deleted with it. */
export const COMMANDS_KEPT_DAYS = 90;

/** A command of a phone. It may arrive more than once, long after it was given. */
export interface DriverCommand {
  name: DriverEndpointName;
  driverId: string;
  /** Made by the phone; null from a client that makes none. */
  commandId: string | null;
  /** By the phone's clock. */
  doneAt: Date | null;
  /** Where the phone was; null when it did not know. */
  place: MapPoint | null;
  receivedAt: Date;
}

/** A refusal that must be recorded although the command failed, such as a wrong code that was counted. */
export interface RecordedRefusal {
  slug: DriverErrorSlug;
  extra: Record<string, unknown>;
}

/** The fields of a request body that make a command. */
export const readCommand = (
  name: DriverEndpointName,
  driverId: string,
  body: { commandId?: string; doneAt?: string; place?: MapPoint },
  receivedAt: Date,
): DriverCommand => ({
  name,
  driverId,
  commandId: body.commandId ?? null,
  doneAt: body.doneAt === undefined ? null : new Date(body.doneAt),
  place: body.place ?? null,
  receivedAt,
});

/**
 * Applies a command once per driver and id, in one transaction with its row in `driver_commands`. The primary key
 * serialises concurrent repetitions: the second waits for the first, then finds its row and returns its result. A command
 * that is refused leaves no row, unless the refusal itself is recorded: it changed nothing and is judged again.
 */
export async function applyOnce(
  db: Database,
  command: DriverCommand,
  shipmentId: string | null,
  apply: (tx: Tx) => Promise<RecordedRefusal | null>,
): Promise<void> {
  const refusal = await db.transaction().execute(async (tx) => {
    if (command.commandId === null) return apply(tx);
    const earlier = await insertOrFind(tx, command, command.commandId, shipmentId);
    if (earlier) return earlier.slug === null ? null : { slug: earlier.slug as DriverErrorSlug, extra: earlier.extra };
    const refused = await apply(tx);
    if (refused) await recordRefusal(tx, command, command.commandId, refused);
    return refused;
  });
  if (refusal) refuseDriver(refusal.slug, refusal.extra);
}

/** Null when the command is new: its row was inserted. */
async function insertOrFind(tx: Tx, command: DriverCommand, commandId: string, shipmentId: string | null) {
  const { driverId, name, doneAt, place, receivedAt } = command;
  const subject = shipmentId !== null && isUuid(shipmentId) ? shipmentId.toLowerCase() : null;
  const inserted = await tx
    .insertInto('driver_commands')
    .values({
      driver_id: driverId,
      command_id: commandId,
      name,
      shipment_id: subject,
      done_at: doneAt,
      received_at: receivedAt,
      latitude: place?.latitude ?? null,
      longitude: place?.longitude ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows) return null;
  const earlier = await tx
    .selectFrom('driver_commands')
    .select(['name', 'shipment_id as shipmentId', 'refusal', 'refusal_extra as extra'])
    .where('driver_id', '=', driverId)
    .where('command_id', '=', commandId)
    .executeTakeFirstOrThrow();
  if (earlier.name !== name || earlier.shipmentId !== subject) refuseDriver('COMMAND_ID_REUSED');
  return { slug: earlier.refusal, extra: earlier.extra ?? {} };
}

/**
 * For a command that changes nothing, because the step was done before: its place is not that of the step, and the personal
 * data of the shipment may have been erased since.
 */
export async function forgetPlace(tx: Tx, { driverId, commandId }: DriverCommand): Promise<void> {
  if (commandId === null) return;
  await tx
    .updateTable('driver_commands')
    .set({ latitude: null, longitude: null })
    .where('driver_id', '=', driverId)
    .where('command_id', '=', commandId)
    .execute();
}

async function recordRefusal(
  tx: Tx,
  { driverId }: DriverCommand,
  commandId: string,
  { slug, extra }: RecordedRefusal,
): Promise<void> {
  await tx
    .updateTable('driver_commands')
    .set({ refusal: slug, refusal_extra: JSON.stringify(extra) })
    .where('driver_id', '=', driverId)
    .where('command_id', '=', commandId)
    .execute();
}
