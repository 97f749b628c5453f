import type { MapPoint, Zone, ZoneShape } from '@navette/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { circleCorners } from '../../geography/circle.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { applyZoneJob } from '../../jobs/definitions.ts';
import { refuseNotPossible } from '../../refusals/console-refusal.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { fieldErrors } from '../../refusals/refusal.ts';
import { recordOperatorAct, requireStaff, type SignedInStaff } from '../staff/index.ts';
import { lockZonesForChange, polygonText, readPolygon } from './zones.ts';

const MOST_STANDING = 50; // every step of a search compares its shipment with each
const LONGEST_MS = 7 * 86_400_000; // the timers of searches are kept for fourteen days

export interface NewZone {
  id: string;
  shape: ZoneShape;
  endsAt: Date;
  reason: string;
  message: string | null;
}

const wrongField = (path: string, msg: string) => fieldErrors([{ type: 'field', msg, path, location: 'body' }]);

/** The corners of a shape. Refuses a shape without its fields. */
export function cornersOf({ kind, centre, radiusMetres, corners }: ZoneShape): MapPoint[] {
  if (kind === 'circle') {
    if (!centre || radiusMetres === undefined) throw wrongField('shape', 'Un cercle a un centre et un rayon.');
    return circleCorners(centre, radiusMetres);
  }
  if (!corners) throw wrongField('shape', 'Un polygone a au moins trois sommets.');
  return corners;
}

export function requireEnd(endsAt: string, now: Date): Date {
  const end = new Date(endsAt);
  const ahead = end.getTime() - now.getTime();
  if (ahead <= 0 || ahead > LONGEST_MS) throw wrongField('endsAt', 'Doit être dans les sept prochains jours.');
  return end;
}

interface ZoneContext {
  db: Database;
  jobs: JobSender;
  now: Date;
}

/** Creates a zone. The same request again finds the first one. The searches in it are held by a job of the same commit. */
export async function createAnyZone(
  { db, jobs, now }: ZoneContext,
  staff: SignedInStaff,
  zone: NewZone,
): Promise<void> {
  const { id, shape, endsAt, reason, message } = zone;
  if (!isUuid(id)) throw wrongField('id', 'Doit être un UUID.');
  const area = polygonText(cornersOf(shape));
  const isCircle = shape.kind === 'circle' && shape.centre !== undefined;
  const centre = isCircle ? `(${shape.centre?.longitude},${shape.centre?.latitude})` : null;
  await db.transaction().execute(async (tx) => {
    const actor = await requireStaff(tx, staff, 'dispatch', now);
    await lockZonesForChange(tx);
    const { numAffectedRows } = await sql`
      insert into zones (id, area, centre, radius_metres, reason, message, created_at, created_by, created_by_name, ends_at)
      select ${id}, ${area}::polygon, ${centre}::point, ${isCircle ? shape.radiusMetres : null}::integer, ${reason}, ${message},
        ${now}, ${actor.id}, ${actor.name}, ${endsAt}
      on conflict (id) do nothing`.execute(tx);
    if (numAffectedRows === 0n) return;
    if ((await countStanding(tx, now)) > MOST_STANDING) refuseNotPossible('too_many_zones');
    await jobs.send(tx, applyZoneJob, { zoneId: id });
    const details = { endsAt: endsAt.toISOString(), informsRecipients: message !== null };
    await recordOperatorAct(tx, actor, { act: 'zone.created', subject: subjectOf(id, reason), reason, details }, now);
  });
}

/** Lifts a zone; one that was lifted already stays so. */
export async function liftAnyZone({ db, jobs, now }: ZoneContext, staff: SignedInStaff, id: string): Promise<void> {
  if (!isUuid(id)) refuseAsNotFound();
  await db.transaction().execute(async (tx) => {
    const actor = await requireStaff(tx, staff, 'dispatch', now);
    await lockZonesForChange(tx);
    const zone = await tx
      .selectFrom('zones')
      .select(['reason', 'lifted_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!zone) return refuseAsNotFound();
    if (zone.lifted_at) return;
    await tx.updateTable('zones').set({ lifted_at: now, lifted_by_name: actor.name }).where('id', '=', id).execute();
    await jobs.send(tx, applyZoneJob, { zoneId: id });
    await recordOperatorAct(tx, actor, { act: 'zone.lifted', subject: subjectOf(id, zone.reason) }, now);
  });
}

const subjectOf = (id: string, reason: string) => ({ type: 'zone', id, title: reason });

async function countStanding(tx: Tx, now: Date): Promise<number> {
  const { rows } = await sql<{ standing: number }>`
    select count(*) as standing from zones where lifted_at is null and ends_at > ${now}`.execute(tx);
  return rows[0]?.standing ?? 0;
}

interface ZoneRow extends Omit<Zone, 'corners' | 'centre' | 'createdAt' | 'endsAt'> {
  area: string;
  centre: { x: number; y: number } | null;
  createdAt: Date;
  endsAt: Date;
}

/** The zones that are neither lifted nor over, oldest first. */
export async function listAnyStandingZones(db: Database, now: Date): Promise<Zone[]> {
  const { rows } = await sql<ZoneRow>`
    select z.id, z.area::text as area, z.centre, z.radius_metres as "radiusMetres", z.reason, z.message,
           z.created_at as "createdAt", z.created_by_name as "createdBy", z.ends_at as "endsAt",
           (select count(*) from driver_searches q where q.zone_id = z.id and q.ended_at is null) as waiting
    from zones z where z.lifted_at is null and z.ends_at > ${now} order by z.created_at, z.id`.execute(db);
  return rows.map(({ area, centre, createdAt, endsAt, ...zone }) => ({
    ...zone,
    corners: readPolygon(area),
    centre: centre && { latitude: centre.y, longitude: centre.x },
    createdAt: createdAt.toISOString(),
    endsAt: endsAt.toISOString(),
  }));
}
