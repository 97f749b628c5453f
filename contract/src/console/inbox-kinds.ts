import { APPROVAL_NEEDS, type ApprovableAct, type StaffNeed } from './roles.ts';

/**
 * Everything that needs a person, most urgent first. Each kind has one next act, which the console offers, and the
 * permission that it needs. In a file without the schema library, so that the web app does not bundle it.
 */
export const INBOX_KINDS = {
  code_locked: { act: 'confirm_delivery', needs: 'dispatch' },
  incident_open: { act: 'resolve_incident', needs: 'dispatch' },
  no_driver: { act: 'assign', needs: 'dispatch' },
  late: { act: 'call_driver', needs: 'dispatch' },
  driver_silent: { act: 'call_driver', needs: 'dispatch' },
  nearly_late: { act: 'call_driver', needs: 'dispatch' },
  no_place: { act: 'locate', needs: 'dispatch' },
  no_pickup_time: { act: 'open_account', needs: 'dispatch' },
  offers_stopped: { act: 'lift_zone', needs: 'dispatch' },
  message_failed: { act: 'retry_message', needs: 'support' },
  recipient_report: { act: 'close_report', needs: 'support' },
  approval_waiting: { act: 'decide', needs: 'money' },
  document_expiring: { act: 'open_driver', needs: 'dispatch' },
  balance_empty: { act: 'call_merchant', needs: 'money' },
  webhook_paused: { act: 'resume_webhook', needs: 'support' },
  webhook_failing: { act: 'call_merchant', needs: 'support' },
  audit_finding: { act: 'read_runbook', needs: 'administer' },
  retention_late: { act: 'read_runbook', needs: 'administer' },
} as const;

export type InboxKind = keyof typeof INBOX_KINDS;
export type InboxAct = (typeof INBOX_KINDS)[InboxKind]['act'];

/** The permission to change an entry and to do its next act. An approval needs that of the act which waits for it. */
export const neededFor = ({ kind, facts }: { kind: InboxKind; facts: Record<string, unknown> }): StaffNeed =>
  kind === 'approval_waiting' ? APPROVAL_NEEDS[facts.act as ApprovableAct] : INBOX_KINDS[kind].needs;
