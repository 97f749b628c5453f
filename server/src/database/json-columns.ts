import type {
  ImportColumn,
  ImportError,
  RecurringContent,
  SavedAddress,
  Shipment,
  ShipmentFilters,
  ShipmentRequest,
  ShipmentStatus,
} from '@navette/contract';
import type { ColumnType } from 'kysely';

/**
 * The type of each JSON column. tools/generate.ts writes `JsonColumn<'table.column'>` into tables.ts for every JSON column
 * of the database, so that a column that is missing here fails the type check.
 */
interface JsonColumns {
  /** Rows of pgboss.job. */
  'account_moves.jobs': Record<string, unknown>[];
  'arrival_forecasts.forecasts': Record<'at' | 'from' | 'until' | 'expected' | 'spread', string | number>[];
  'dispatch_decisions.details': DecisionDetails;
  'driver_commands.refusal_extra': Record<string, unknown>;
  'erasure_receipts.counts': ErasureCounts;
  'figures.door': Record<string, number>;
  'figures.incidents': Record<string, number>;
  'figures.wait': Record<string, number>;
  'import_lines.cells': string[];
  'import_lines.errors': LineError[];
  'import_lines.request': ShipmentRequest;
  'imports.columns': ImportColumn[];
  'invoices.buyer': InvoiceParty;
  'invoices.lines': InvoiceLine[];
  'invoices.seller': InvoiceSeller;
  'operator_acts.details': Record<string, string | number | boolean | null>;
  'recurring_schedules.request': RecurringContent;
  'saved_addresses.address': Omit<SavedAddress, 'id'>;
  'saved_views.filters': ShipmentFilters;
  'shipments.collection_contact': CollectionContact;
  'shipments.delivery_address': Shipment['deliveryAddress'];
  'shipments.external_reference_extra': FreeContent;
  'shipments.metadata': FreeContent;
  'shipments.pickup_address': Shipment['pickupAddress'];
  'shipments.status_history': StatusEntry[];
}

/** The driver parses JSON when it reads. Writers pass JSON text: the driver would send an array as a PostgreSQL array. */
export type JsonColumn<Name extends keyof JsonColumns> = ColumnType<JsonColumns[Name], string, string>;

/** Oldest first in `status_history`. */
interface StatusEntry {
  status: ShipmentStatus;
  at: string;
}

interface CollectionContact {
  phoneNumber: string;
  email: string;
  name: string | null;
}

/** A company on an invoice, as it was when the invoice was issued. */
export interface InvoiceParty {
  name: string;
  street: string | null;
  postalCode: string | null;
  city: string | null;
  /** ISO 3166, two letters. */
  country: string;
  siren: string | null;
  vatId: string | null;
}

export interface InvoiceSeller extends InvoiceParty {
  legalForm: string | null;
  iban: string | null;
}

/** The shipments of one local day. */
export interface InvoiceLine {
  day: string;
  shipments: number;
  grossCents: number;
  netCents: number;
}

/** Free content that a merchant sends and gets back unchanged. */
export type FreeContent = Record<string, unknown>;

export type LineError = Omit<ImportError, 'line'>;

export interface ErasureCounts {
  shipments: number;
  importLines: number;
  /** Recurring shipments that ended with it; absent in receipts of earlier releases. */
  recurring?: number;
  /** Absent in receipts of earlier releases. */
  savedAddresses?: number;
  geocodedAddresses: number;
  waiting: number;
}

/** Ids, distances and reasons; no name or address of a person. */
export interface DecisionDetails {
  /** Why a search started. */
  cause?: string;
  round?: number;
  wave?: number;
  /** The drivers considered, nearest first; `obstacle` is the reason not to offer the run to that driver. */
  looked?: { driverId: string; metres: number; obstacle: string | null }[];
  /** The actor that decided an assignment; `metres` is the distance of the driver. */
  by?: 'dispatch' | 'driver' | 'operator';
  metres?: number;
  channel?: string;
  previous?: string | null;
  /** The reason that a person gave. */
  reason?: string | null;
  /** The end of the zone that the search waits for. */
  until?: string;
  /** The status that the shipment had reached. */
  status?: string;
  /** The time by a phone's clock, and why it was not used. */
  doneAt?: string;
  why?: string;
}
