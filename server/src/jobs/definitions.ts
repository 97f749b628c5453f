import type { DriverPush, PasswordLinkPurpose, ShipmentStatus } from '@navette/contract';
import type { Queue } from 'pg-boss';
import type { Traced } from '../observability/trace-context.ts';

/** A job that the worker runs: its name and the settings of its queue. Each feature has the handlers of its jobs. */
export interface JobDefinition<Payload extends object = object> {
  name: string;
  queue: Omit<Queue, 'name'>;
  /** Cron expression in the service's time zone, for jobs that run regularly. */
  schedule?: string;
  /** Declares the type of the payload; has no value. */
  payload?: Payload;
}

export interface ShipmentPayload {
  accountId: string;
  shipmentId: string;
}

/** A shipment was created or changed its status. */
export interface ShipmentChange extends ShipmentPayload {
  /** The status after the change. */
  status: ShipmentStatus;
  /** The event that webhooks may receive; null when the contract has no event for this change. */
  eventId: string | null;
  /** The other drivers with an open offer, when one of them has accepted. */
  withdrawnFrom?: string[];
}

/** The trace of each shipment's change: jobs that follow a batch of changes belong to different traces. */
export const traceparentsOf = (changes: readonly Traced<ShipmentChange>[]): Map<string, string | undefined> =>
  new Map(changes.map(({ shipmentId, traceparent }) => [shipmentId, traceparent]));

export interface MessagePayload {
  accountId: string;
  messageId: string;
}

/** A webhook that may have pending deliveries. */
export interface WebhookPayload {
  accountId: string;
  webhookId: string;
  /** Some of them are of older events: resent ones, or those of a day without a worker. */
  hasOlder?: boolean;
}

/**
 * For jobs that must follow a change. A faulty release may fail them for hours, so they are retried, at least every ten
 * minutes, for the fourteen days that pg-boss keeps them. When a worker dies, another one takes its jobs over within half
 * a minute.
 *
 * Each queue has a table of its own. In a shared table, PostgreSQL plans for the statistics of the last ANALYZE: a burst of
 * thousands of jobs in a queue that was empty then causes a sequential scan per fetch, for up to a minute.
 */
const persistent = {
  retryLimit: 10_000,
  retryBackoff: true,
  retryDelayMax: 600,
  heartbeatSeconds: 15,
  partition: true,
  deleteAfterSeconds: 120, // every five seconds the engine reads all jobs of a queue, also those that are done
} as const;

/** The next run repeats what failed. Without a heartbeat, a run whose worker was killed would keep the next ones away for fifteen minutes. */
const frequent = {
  policy: 'singleton',
  retryLimit: 0,
  heartbeatSeconds: 15,
  deleteAfterSeconds: 3_600,
} as const;

/** For work over all accounts that may take hours, in batches. Each run continues where the last one ended. */
const longNightly = {
  policy: 'singleton',
  retryLimit: 3,
  retryBackoff: true,
  heartbeatSeconds: 15,
  expireInSeconds: 6 * 3_600,
} as const;

/** Enqueued by the transaction that creates or changes a shipment. Starts everything that must follow. */
export const followChangeJob: JobDefinition<ShipmentChange> = {
  name: 'follow-change',
  queue: { ...persistent, notify: true },
};

/** Runs at the time when the search for a driver of a programmed shipment starts. */
export const activateShipmentJob: JobDefinition<ShipmentPayload> = {
  name: 'activate-shipment',
  queue: { ...persistent, policy: 'exclusive' }, // one per singleton key
};

/** One attempt to send one message. A retry is another job, after a backoff. */
export const sendMessageJob: JobDefinition<MessagePayload> = {
  name: 'send-message',
  queue: { ...persistent, notify: true },
};

/** Messages to recipients who are their driver's next stop. */
export const announceArrivalsJob: JobDefinition = {
  name: 'announce-arrivals',
  queue: frequent,
  schedule: '* * * * *',
};

/** Gives a job to messages that a worker was sending when it died, or whose job was dropped. */
export const resumeMessagesJob: JobDefinition = {
  name: 'resume-messages',
  queue: frequent,
  schedule: '* * * * *',
};

export const eraseMessagesJob: JobDefinition = {
  name: 'erase-messages',
  queue: { policy: 'singleton', retryLimit: 3, retryBackoff: true },
  schedule: '45 3 * * *',
};

/** Ends the bodies of events that webhooks no longer send. */
export const endEventBodiesJob: JobDefinition = {
  name: 'end-event-bodies',
  queue: longNightly,
  schedule: '35 3 * * *', // after the deliveries of the day are dropped
};

/** Summarises the searches for drivers of shipments that ended long ago. */
export const summariseDispatchJob: JobDefinition = {
  name: 'summarise-dispatch',
  queue: longNightly,
  schedule: '0 4 * * *',
};

/** Moves old shipments to files, when ARCHIVE_AFTER_DAYS is set. */
export const archiveShipmentsJob: JobDefinition = {
  name: 'archive-shipments',
  queue: longNightly,
  schedule: '30 1 * * *',
};

/** Checks invariants of some accounts and other subjects in turn. The result is a metric. */
export const auditJob: JobDefinition = {
  name: 'audit',
  queue: { policy: 'singleton', retryLimit: 1, expireInSeconds: 6 * 3_600 },
  schedule: '15 5 * * *',
};

export interface SearchStep extends ShipmentPayload {
  /** The step that a timer was set for. Absent when the search must run now. */
  timer?: { searchId: string; step: number };
}

/** Runs the next step of a search for a driver: a wave of offers, a later retry, or its end. */
export const searchDriverJob: JobDefinition<SearchStep> = {
  name: 'search-driver',
  queue: { ...persistent, notify: true },
};

/** A zone was created or lifted. */
export interface ZonePayload {
  zoneId: string;
}

/** Lets the searches in a zone wait, or go on. */
export const applyZoneJob: JobDefinition<ZonePayload> = {
  name: 'apply-zone',
  queue: { ...persistent, notify: true },
};

export interface DriverNotification extends ShipmentPayload {
  driverIds: string[];
  push: DriverPush;
}

/** Pushes over the drivers' sockets. Retried for a short time only: an old notification has no use. */
export const notifyDriversJob: JobDefinition<DriverNotification> = {
  name: 'tell-drivers',
  queue: { retryLimit: 5, retryDelay: 2, heartbeatSeconds: 15, notify: true, deleteAfterSeconds: 600 },
};

/** A notification for one device of a driver. */
export interface DevicePush extends ShipmentPayload {
  /** The session with the device's subscription. */
  sessionId: string;
  push: DriverPush;
}

/** A web push message. Retried for half a minute: an old notification has no use. */
export const sendPushJob: JobDefinition<DevicePush> = {
  name: 'send-push',
  queue: {
    retryLimit: 4,
    retryDelay: 2,
    retryBackoff: true,
    heartbeatSeconds: 15,
    notify: true,
    deleteAfterSeconds: 600,
  },
};

/** Geocodes addresses that came without coordinates. A separate job, so that a slow geocoder delays nothing else. */
export const locateShipmentJob: JobDefinition<ShipmentPayload> = {
  name: 'locate-shipment',
  queue: { ...persistent, policy: 'exclusive', notify: true }, // one per singleton key
};

/**
 * Sends a webhook its pending deliveries until none is left. At most one job per webhook is queued or running (its
 * singleton key is the webhook's id). With pg-boss's shortest heartbeat, another worker takes over within half a minute.
 */
export const deliverWebhooksJob: JobDefinition<WebhookPayload> = {
  name: 'deliver-webhooks',
  queue: {
    policy: 'exclusive',
    retryLimit: 10_000, // deliveries stay pending, so the job is never abandoned
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 30,
    heartbeatSeconds: 10,
    expireInSeconds: 300, // the job re-enqueues itself long before
    deleteAfterSeconds: 600,
  },
};

/** An event that a webhook of a test account receives late or out of order. */
export interface HeldDelivery extends WebhookPayload {
  eventId: string;
}

/** Adds the delivery of a held event when it may be sent. */
export const addHeldDeliveryJob: JobDefinition<HeldDelivery> = {
  name: 'add-held-delivery',
  queue: persistent,
};

export interface ResendPayload {
  accountId: string;
  resendId: string;
  /** Only the job with the request's current step continues it: a job that runs twice starts no second chain. */
  step: number;
}

/** Makes some events of a request pending again, and enqueues the next step. */
export const resendEventsJob: JobDefinition<ResendPayload> = {
  name: 'resend-events',
  queue: { ...persistent, notify: true },
};

/** Lets the new secrets of webhooks take effect. */
export const switchWebhookSecretsJob: JobDefinition = {
  name: 'switch-webhook-secrets',
  queue: frequent,
  schedule: '* * * * *',
};

/** Mails members whose webhook has started to fail. */
export const notifyFailingWebhooksJob: JobDefinition = {
  name: 'notify-failing-webhooks',
  queue: frequent,
  schedule: '* * * * *',
};

/** Enqueues delivery jobs that are missing, for webhooks with pending deliveries. */
export const resumeWebhooksJob: JobDefinition = {
  name: 'resume-webhooks',
  queue: frequent,
  schedule: '* * * * *',
};

/** Pauses webhooks whose deliveries have all failed for days. */
export const pauseFailingWebhooksJob: JobDefinition = {
  name: 'pause-failing-webhooks',
  queue: { policy: 'singleton', retryLimit: 3, retryBackoff: true, deleteAfterSeconds: 86_400 },
  schedule: '35 * * * *',
};

export const purgeWebhookDeliveriesJob: JobDefinition = {
  name: 'purge-webhook-deliveries',
  queue: { policy: 'singleton', retryLimit: 3, retryBackoff: true, expireInSeconds: 6 * 3_600 }, // it may wait for a dump
  schedule: '10 3 * * *',
};

/** Adds the days ahead of the tables that are partitioned by day. */
export const addPartitionsJob: JobDefinition = {
  name: 'add-partitions',
  queue: { policy: 'singleton', retryLimit: 3, retryBackoff: true },
  schedule: '5 * * * *',
};

export const purgeGeocodedAddressesJob: JobDefinition = {
  name: 'purge-geocoded-addresses',
  queue: { policy: 'singleton', retryLimit: 3, retryBackoff: true },
  schedule: '30 3 * * *',
};

/** Notices to members: of changes that another person may have made, and of deliveries that failed. */
export type MemberNotice =
  | 'password-changed'
  | 'second-factor-on'
  | 'second-factor-off'
  | 'recovery-codes-renewed'
  | 'codes-locked'
  | 'passkey-added'
  | 'passkey-removed'
  | 'key-created'
  | 'key-widened'
  | 'keys-left'
  | 'key-expiring'
  | 'webhook-failing'
  | 'webhook-paused'
  | 'incident'
  | 'recurring-refused'
  | 'automatic-top-up-off'
  | 'import-finished'
  | 'balance-low'
  | 'balance-empty'
  | 'invoice-issued';

/** An e-mail to a member or to an invited person. */
export interface MemberMail {
  kind: 'invitation' | 'reset' | MemberNotice;
  /** Id of the invitation or of the member. */
  id: string;
  /** Id of the created or expiring key, of the removed member whose keys remain, of the failing or paused webhook, of the incident, of the recurring shipment or of the import; number of the invoice. */
  about?: string;
}

/** Retried for some ten minutes: by then people have requested another e-mail. */
export const sendMemberMailJob: JobDefinition<MemberMail> = {
  name: 'send-member-mail',
  queue: {
    retryLimit: 8,
    retryDelay: 2,
    retryBackoff: true,
    heartbeatSeconds: 15,
    notify: true,
    deleteAfterSeconds: 600,
  },
};

/** An e-mail to a staff member or to an invited person. */
export interface StaffMail {
  kind: 'invitation' | 'reset' | StaffNotice;
  /** Id of the invitation or of the staff member. */
  id: string;
}

/** Notices to staff about their own access. */
export type StaffNotice = Extract<
  MemberNotice,
  'password-changed' | 'second-factor-on' | 'second-factor-off' | 'recovery-codes-renewed' | 'codes-locked'
>;

export const sendStaffMailJob: JobDefinition<StaffMail> = {
  name: 'send-staff-mail',
  queue: sendMemberMailJob.queue,
};

/** A link with which a driver sets a password. */
export interface DriverLink {
  driverId: string;
  purpose: PasswordLinkPurpose;
  by: 'sms' | 'email';
}

/** Retried for some ten minutes, like mails to members. */
export const sendDriverLinkJob: JobDefinition<DriverLink> = {
  name: 'send-driver-link',
  queue: sendMemberMailJob.queue,
};

export const purgeMemberLeftoversJob: JobDefinition = {
  name: 'purge-member-leftovers',
  queue: { policy: 'singleton', retryLimit: 3, retryBackoff: true },
  schedule: '20 3 * * *',
};

export const purgeDriverSessionsJob: JobDefinition = {
  name: 'purge-driver-sessions',
  queue: { policy: 'singleton', retryLimit: 3, retryBackoff: true },
  schedule: '25 3 * * *',
};

export interface ImportPayload {
  accountId: string;
  importId: string;
}

/**
 * Creates the shipments of an import. One job per import (its singleton key), one running per account (its group). When
 * a worker dies, another one takes over within half a minute.
 */
export const runImportJob: JobDefinition<ImportPayload> = {
  name: 'carry-out-import', // queue names are stored: jobs of earlier releases keep theirs
  queue: { ...persistent, policy: 'exclusive', notify: true },
};

export const eraseImportsJob: JobDefinition = {
  name: 'erase-imports',
  queue: { policy: 'singleton', retryLimit: 3, retryBackoff: true },
  schedule: '20 4 * * *',
};

/** Creates the shipments of recurring ones ahead of their slots, and retries those that were refused. */
export const createRecurringJob: JobDefinition = {
  name: 'create-recurring',
  queue: frequent,
  schedule: '* * * * *',
};

/** Erases personal data whose retention is over. A run ends after some minutes and enqueues the next while there is more. */
export const erasePersonalDataJob: JobDefinition = {
  name: 'erase-personal-data',
  queue: { policy: 'singleton', retryLimit: 3, retryBackoff: true, heartbeatSeconds: 15 },
  schedule: '40 * * * *',
};

/** Deletes what people did with entries of the inbox whose facts have ended. */
export const purgeInboxStatesJob: JobDefinition = {
  name: 'purge-inbox-states',
  queue: { policy: 'singleton', retryLimit: 3, retryBackoff: true },
  schedule: '50 3 * * *',
};

/** Empties test twins that nobody used for a month. */
export const emptyIdleTwinsJob: JobDefinition = {
  name: 'empty-idle-twins',
  queue: { policy: 'singleton', retryLimit: 3, retryBackoff: true },
  schedule: '55 3 * * *',
};

/** Adds what has ended to the figures of the console. */
export const countFiguresJob: JobDefinition = {
  name: 'count-figures',
  // A killed worker's job is missed after fifteen seconds: until then no other one may run.
  queue: { policy: 'singleton', retryLimit: 3, heartbeatSeconds: 15, deleteAfterSeconds: 3_600 },
  schedule: '* * * * *',
};

/** Notes arrival estimates, so that the night can compare them with the deliveries. */
export const noteForecastsJob: JobDefinition = {
  name: 'note-forecasts',
  queue: frequent,
  schedule: '*/5 * * * *',
};

/** Learns from yesterday's deliveries how long drivers take, and measures the estimates. */
export const learnArrivalsJob: JobDefinition = {
  name: 'learn-arrivals',
  queue: { policy: 'singleton', retryLimit: 3, retryBackoff: true },
  schedule: '5 4 * * *',
};

/** A page of accounts, after this one in the order of ids. */
export interface InvoicePage {
  after?: string;
}

/** Issues the invoices of months that have ended. Every night, so that one that a failure prevented follows the next day. */
export const issueInvoicesJob: JobDefinition<InvoicePage> = {
  name: 'issue-invoices',
  queue: { policy: 'singleton', retryLimit: 3, retryBackoff: true, heartbeatSeconds: 15 },
  schedule: '20 2 * * *',
};

/** Hands issued invoices to the certified platform, and asks for their statuses. */
export const handOverInvoicesJob: JobDefinition = {
  name: 'hand-over-invoices',
  queue: frequent,
  schedule: '* * * * *',
};

/** Asks Stripe about payments whose event did not come. */
export const reconcilePaymentsJob: JobDefinition = {
  name: 'reconcile-payments',
  queue: frequent,
  schedule: '* * * * *',
};

/** Takes automatic payments of accounts whose balance is below their limit. */
export const topUpAccountsJob: JobDefinition = {
  name: 'top-up-accounts',
  queue: frequent,
  schedule: '* * * * *',
};

/** Tells members about balances and invoices. */
export const notifyMoneyJob: JobDefinition = {
  name: 'notify-money',
  queue: { policy: 'singleton', retryLimit: 3, retryBackoff: true },
  schedule: '*/5 * * * *',
};

/** Reminds of keys that expire. Hourly, so that a failure delays a reminder by little. */
export const remindExpiringKeysJob: JobDefinition = {
  name: 'remind-expiring-keys',
  queue: { policy: 'singleton', retryLimit: 3, retryBackoff: true },
  schedule: '25 * * * *',
};

/** Reports to the directory of cells who signs in here. */
export const publishSignInChangesJob: JobDefinition = {
  name: 'publish-sign-in-changes',
  queue: frequent,
  schedule: '* * * * *',
};

export const JOBS: readonly JobDefinition[] = [
  followChangeJob,
  activateShipmentJob,
  sendMessageJob,
  announceArrivalsJob,
  resumeMessagesJob,
  eraseMessagesJob,
  endEventBodiesJob,
  summariseDispatchJob,
  archiveShipmentsJob,
  searchDriverJob,
  applyZoneJob,
  notifyDriversJob,
  sendPushJob,
  locateShipmentJob,
  deliverWebhooksJob,
  addHeldDeliveryJob,
  resumeWebhooksJob,
  resendEventsJob,
  switchWebhookSecretsJob,
  notifyFailingWebhooksJob,
  pauseFailingWebhooksJob,
  purgeWebhookDeliveriesJob,
  addPartitionsJob,
  purgeGeocodedAddressesJob,
  runImportJob,
  eraseImportsJob,
  createRecurringJob,
  notifyMoneyJob,
  remindExpiringKeysJob,
  sendMemberMailJob,
  sendStaffMailJob,
  sendDriverLinkJob,
  purgeMemberLeftoversJob,
  purgeDriverSessionsJob,
  erasePersonalDataJob,
  purgeInboxStatesJob,
  emptyIdleTwinsJob,
  countFiguresJob,
  noteForecastsJob,
  learnArrivalsJob,
  issueInvoicesJob,
  handOverInvoicesJob,
  reconcilePaymentsJob,
  topUpAccountsJob,
  publishSignInChangesJob,
  auditJob,
];
