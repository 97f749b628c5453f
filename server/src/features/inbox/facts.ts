import type { Zone } from '@navette/contract';
import type { RecordedAudit } from '../../audit/latest-audits.ts';
import type {
  AnyShipment,
  DueShipment,
  listAnyCodeLocked,
  listAnyUnassigned,
  listAnyWithoutLocation,
} from '../dispatch/index.ts';
import type { ExpiringDocument, SilentDriver } from '../drivers/index.ts';
import type { listAnyOpenIncidents } from '../incidents/index.ts';
import type { BalanceRefusal } from '../ledger/index.ts';
import type { FailedMessage } from '../messages/index.ts';
import type { listAnyOpenReports } from '../recipient-reports/index.ts';
import type { TroubledWebhook } from '../webhooks/index.ts';

type RowOf<List extends (...args: never[]) => Promise<unknown[]>> = Awaited<ReturnType<List>>[number];

/** A recorded audit whose invariants are divided by the person who reads them. */
export interface AuditFacts extends Omit<RecordedAudit, 'brokenInvariants' | 'brokenRows'> {
  /** About personal data that is kept too long. */
  retention: string[];
  /** All others. */
  findings: string[];
}

export interface WaitingApproval {
  id: string;
  act: string;
  subject: string;
  amountCents: number | null;
  reason: string;
  requestedBy: string;
  requestedAt: Date;
  accountId: string;
  account: string;
}

/** The facts that the inbox is computed from. Not every fact needs a person: entries.ts decides. */
export interface InboxFacts {
  unassigned: RowOf<typeof listAnyUnassigned>[];
  withoutLocation: RowOf<typeof listAnyWithoutLocation>[];
  withoutPickupTime: (AnyShipment & { createdAt: Date })[];
  codeLocked: RowOf<typeof listAnyCodeLocked>[];
  incidents: Pick<
    RowOf<typeof listAnyOpenIncidents>,
    'shipmentId' | 'reference' | 'accountId' | 'account' | 'kind' | 'note' | 'happenedAt' | 'driverName' | 'driverPhone'
  >[];
  /** `kmLeft`: from the driver's last position to the recipient; null when it is unknown. */
  due: (DueShipment & { kmLeft: number | null })[];
  silentDrivers: SilentDriver[];
  /** Papers that have expired or soon will. */
  documents: ExpiringDocument[];
  pausedWebhooks: TroubledWebhook[];
  failingWebhooks: TroubledWebhook[];
  failedMessages: FailedMessage[];
  balanceRefusals: BalanceRefusal[];
  reports: RowOf<typeof listAnyOpenReports>[];
  approvals: WaitingApproval[];
  zones: Zone[];
  /** Newest first. */
  audits: AuditFacts[];
}

export const NO_FACTS: InboxFacts = {
  unassigned: [],
  withoutLocation: [],
  withoutPickupTime: [],
  codeLocked: [],
  incidents: [],
  due: [],
  silentDrivers: [],
  documents: [],
  pausedWebhooks: [],
  failingWebhooks: [],
  failedMessages: [],
  balanceRefusals: [],
  reports: [],
  approvals: [],
  zones: [],
  audits: [],
};
