import { HANDOVER_MINUTES, type ReportKind, type SignerRelation } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { listShipmentProofs } from '../proofs/index.ts';
import { listShipmentReports, MAX_REPORTS } from '../recipient-reports/index.ts';
import type { TrackedShipment } from './find-tracked-shipment.ts';

export interface Handover {
  /** With the recipient's code or QR code, to another person, or confirmed by the operator without a code. */
  how: 'code' | 'person' | 'operator';
  /** Without the name: it may be another person's. */
  signature: { by: SignerRelation | null } | null;
  /** Ids, oldest first. */
  photos: string[];
}

/** The part of the page that exists only after the end. */
export interface Aftermath {
  /** Null unless it was delivered. */
  handover: Handover | null;
  /** The latest one. */
  report: { kind: ReportKind; reportedAt: Date; closedAt: Date | null } | null;
  mayReport: boolean;
}

export const NOTHING_YET: Aftermath = { handover: null, report: null, mayReport: false };

const MOST_PHOTOS = 3;

export async function readAftermath(db: Database, shipment: TrackedShipment): Promise<Aftermath> {
  const { accountId, id } = shipment;
  const [handover, reports] = await Promise.all([
    shipment.status === 'delivered' ? readHandover(db, shipment) : null,
    listShipmentReports(db, accountId, id),
  ]);
  const latest = reports.at(-1);
  return {
    handover,
    report: latest
      ? {
          kind: latest.kind,
          reportedAt: new Date(latest.reportedAt),
          closedAt: latest.closedAt === null ? null : new Date(latest.closedAt),
        }
      : null,
    mayReport: reports.length < MAX_REPORTS && reports.every(({ closedAt }) => closedAt !== null),
  };
}

async function readHandover(db: Database, shipment: TrackedShipment): Promise<Handover> {
  const { accountId, id, endedAt, isConfirmedByOperator } = shipment;
  const [proofs, leftWith] = await Promise.all([
    listShipmentProofs(db, accountId, id),
    db
      .selectFrom('incidents')
      .select('id')
      .where('account_id', '=', accountId)
      .where('shipment_id', '=', id)
      .where('resolution', '=', 'left_with')
      .executeTakeFirst(),
  ]);
  const since = (endedAt?.getTime() ?? 0) - HANDOVER_MINUTES * 60_000;
  const ofHandover = proofs.filter(({ takenAt }) => Date.parse(takenAt) >= since);
  const signature = ofHandover.findLast(({ kind }) => kind === 'signature');
  return {
    how: leftWith ? 'person' : isConfirmedByOperator ? 'operator' : 'code',
    signature: signature ? { by: signature.signerRelation } : null,
    photos: ofHandover
      .filter(({ kind }) => kind === 'photo')
      .slice(-MOST_PHOTOS)
      .map((photo) => photo.id),
  };
}
