/**
 * Every table of the schema, and what a move of an account does with its rows. A test fails when a table is missing here.
 *
 * `follow`: copied while the account works, by logical replication, since there are many rows per account. `freeze`: copied
 * in one transaction while the account is frozen. `stay`: the rows belong to the cell, and the text says why.
 */
export type TableInventory = MovedTable | { stays: string };

export interface MovedTable {
  copied: 'follow' | 'freeze';
  /** The rows of the accounts of a move, in SQL for `t`; $1 is the array of their ids. */
  rows: string;
  /** The column by which a trigger recognises the rows; null when every change also changes a guarded table. */
  guard: Guard | null;
  /** Columns that are not copied: they describe the account in its cell. */
  leftOut?: readonly string[];
  /** Rows that several accounts use: those that the target has already stay, and they are never deleted. */
  isShared?: true;
  /** Kept by `--forget`: accounting, which stays where it was written. */
  isKept?: true;
}

export interface Guard {
  column: string;
  /** Selects the values of the column that belong to the accounts $1. */
  values: string;
}

/** The values of a guard by account. */
export const OF_ACCOUNT = 'select unnest($1::uuid[])';
const MEMBERS = 'select id from members where account_id = any($1)';

const by = (column: string, copied: MovedTable['copied']): MovedTable => ({
  copied,
  rows: `t.${column} = any($1)`,
  guard: { column, values: OF_ACCOUNT },
});
const follow = by('account_id', 'follow');
const freeze = by('account_id', 'freeze');
const kept: MovedTable = { ...freeze, isKept: true };
const ofMembers: MovedTable = {
  copied: 'freeze',
  rows: `t.member_id in (${MEMBERS})`,
  guard: { column: 'member_id', values: MEMBERS },
};
/** Robot couriers of a test twin belong to the twin. */
const ofTestDrivers: MovedTable = {
  copied: 'freeze',
  rows: 't.driver_id in (select id from drivers where test_account_id = any($1))',
  guard: { column: 'driver_id', values: 'select id from drivers where test_account_id = any($1)' },
};
const stays = (reason: string) => ({ stays: reason });

const OF_DRIVERS = 'drivers work in one cell';
const OF_STAFF = 'staff work in one cell';
const OF_CELL = 'describes the work of the cell';

export const INVENTORY: Readonly<Record<string, TableInventory>> = {
  account_counters: freeze,
  account_moves: stays('the progress of moves; the row of a running one is the fence of its copy'),
  account_references: freeze,
  accounts: { ...by('id', 'freeze'), leftOut: ['moved_to', 'arrived_at'] },
  api_keys: freeze,
  approvals: stays(`${OF_STAFF}; a move is refused while one is waiting`),
  archive_files: freeze,
  archived_shipments: follow,
  arrival_days: stays(OF_CELL),
  arrival_forecasts: stays('estimates of runs under way, and a move waits for those'),
  arrival_legs: stays(OF_CELL),
  audit_runs: stays(OF_CELL),
  audit_turns: stays(OF_CELL),
  automatic_top_ups: freeze,
  balance_changes: freeze,
  balance_notices: freeze,
  balance_refusals: freeze,
  billing_details: freeze,
  billing_periods: kept,
  daily_deliveries: freeze,
  daily_totals: freeze,
  dispatch_decisions: follow,
  dispatch_summaries: follow,
  driver_balances: ofTestDrivers,
  driver_commands: ofTestDrivers,
  driver_documents: stays(OF_DRIVERS),
  driver_ledger_entries: ofTestDrivers,
  driver_offers: follow,
  driver_password_links: stays(OF_DRIVERS),
  driver_push_subscriptions: stays(OF_DRIVERS),
  driver_searches: follow,
  driver_sessions: stays(OF_DRIVERS),
  drivers: by('test_account_id', 'freeze'),
  erasure_receipts: {
    copied: 'freeze',
    rows: 't.id in (select receipt_id from erasure_requests where account_id = any($1))',
    guard: null,
    isShared: true,
  },
  erasure_requests: freeze,
  event_body_cursors: freeze,
  events: follow,
  figures: stays('counts of the cell: what was delivered there stays counted there'),
  figures_pending: stays('counted in the cell within a minute'),
  figures_state: stays(OF_CELL),
  geocoded_addresses: stays('a cache'),
  idempotency_keys: follow,
  import_lines: follow,
  imports: freeze,
  inbox_states: stays(OF_STAFF),
  incidents: freeze,
  invoice_handovers: kept,
  invoice_notices: freeze,
  invoice_series: stays('numbers are taken in one cell; series of moved invoices are added as numbered elsewhere'),
  invoice_statuses: kept,
  invoices: kept,
  kysely_migration: stays('the schema'),
  kysely_migration_lock: stays('the schema'),
  label_files_to_delete: stays('files of the cell'),
  ledger_entries: follow,
  member_acts: follow,
  member_invitations: freeze,
  member_passkeys: ofMembers,
  member_password_resets: ofMembers,
  member_recovery_codes: ofMembers,
  member_sessions: freeze,
  members: freeze,
  merchant_views: stays(OF_STAFF),
  message_settings: freeze,
  messages: follow,
  moved_references: stays('links that still come to the cell'),
  name_keys: by('subject_id', 'freeze'),
  notification_choices: ofMembers,
  notifications: freeze,
  operator_act_head: stays(OF_STAFF),
  operator_acts: stays(`${OF_STAFF}; the log is a chain of hashes`),
  partition_moves: stays('the schema'),
  payment_events: {
    copied: 'freeze',
    rows: 't.payment_id in (select id from payments where account_id = any($1))',
    guard: null, // written with its payment
  },
  payment_movements: freeze,
  payments: freeze,
  pickup_addresses: freeze,
  proof_files_to_delete: stays('files of the cell'),
  proofs: follow,
  recipient_notes: freeze,
  recipient_reports: freeze,
  recurring_exceptions: freeze,
  recurring_occurrences: freeze,
  recurring_schedules: freeze,
  saved_addresses: freeze,
  saved_views: freeze,
  shipment_keys: follow,
  shipments: follow,
  shop_pages: freeze,
  sign_in_changes: stays('reported by the cell within a minute; the move reports its members itself'),
  sms_days: freeze,
  staff: stays(OF_STAFF),
  staff_invitations: stays(OF_STAFF),
  staff_password_resets: stays(OF_STAFF),
  staff_recovery_codes: stays(OF_STAFF),
  staff_sessions: stays(OF_STAFF),
  test_couriers: freeze,
  time_slots: freeze,
  webhook_attempts: follow,
  webhook_deliveries: follow,
  webhook_hours: freeze,
  webhook_resends: freeze,
  webhook_resent_events: freeze,
  webhooks: freeze,
  zones: stays(OF_STAFF),
};

export type NamedTable = MovedTable & { name: string };

export const MOVED_TABLES: readonly NamedTable[] = Object.entries(INVENTORY).flatMap(([name, table]) =>
  'stays' in table ? [] : [{ name, ...table }],
);
export const FOLLOWED_TABLES = MOVED_TABLES.filter(({ copied }) => copied === 'follow');
export const FROZEN_TABLES = MOVED_TABLES.filter(({ copied }) => copied === 'freeze');

const isFoundByAnother = ({ rows }: NamedTable): boolean => rows.includes('select');

/** Tables whose rows are found through other tables come before those. Shared rows are never deleted. */
export function inDeletionOrder(tables: readonly NamedTable[]): NamedTable[] {
  const own = tables.filter(({ isShared }) => !isShared);
  return [...own.filter(isFoundByAnother), ...own.filter((table) => !isFoundByAnother(table))];
}
