import type { DriverPush, ShipmentStatus } from '@navette/contract';
import type { Queue } from 'pg-boss';

/** What can be asked of the worker: a name and how its queue behaves. Handlers live with their feature. */
export interface JobDefinition<Payload extends object = object> {
  name: string;
  queue: Omit<Queue, 'name'>;
  /** Cron expression in the service's time zone, for work that nobody asks for. */
  schedule?: string;
  /** Only for its type: what the job carries. */
  payload?: Payload;
}

export interface ShipmentPayload {
  accountId: string;
  shipmentId: string;
}

/** A shipment was created or changed its status. */
export interface ShipmentChange extends ShipmentPayload {
  /** The status it has since. */
  status: ShipmentStatus;
  /** The event that merchants may hear of; null when the contract keeps this change silent. */
  eventId: string | null;
}

export interface MessagePayload {
  accountId: string;
  messageId: string;
}

/** A webhook may have something to send. */
export interface WebhookPayload {
  accountId: string;
  webhookId: string;
}

/**
 * What must follow a change is not given up because a release failed at it all night: it is tried again, at least every
 * ten minutes, for the fortnight that pg-boss keeps it. Taken over within half a minute when its worker dies.
 *
 * Each has a table of its own. In one for all, a queue that was empty when PostgreSQL last counted is read from end to
 * end for every few jobs, as soon as thousands come at once, and for as long as a minute.
 */
const persistent = {
  retryLimit: 10_000,
  retryBackoff: true,
  retryDelayMax: 600,
  heartbeatSeconds: 15,
  partition: true,
} as const;

/** Enqueued by the transaction that creates or changes a shipment: everything that must follow starts here. */
export const followChangeJob: JobDefinition<ShipmentChange> = {
  name: 'follow-change',
  queue: { ...persistent, notify: true, deleteAfterSeconds: 3_600 },
};

/** Waits until a programmed shipment is to look for a driver. */
export const activateShipmentJob: JobDefinition<ShipmentPayload> = {
  name: 'activate-shipment',
  queue: { ...persistent, policy: 'exclusive', deleteAfterSeconds: 86_400 }, // one per singleton key
};

/** One attempt at one message; a next one is a job of its own, after a pause. */
export const sendMessageJob: JobDefinition<MessagePayload> = {
  name: 'send-message',
  queue: { ...persistent, notify: true, deleteAfterSeconds: 3_600 },
};

export const eraseMessagesJob: JobDefinition = {
  name: 'erase-messages',
  queue: { policy: 'singleton', retryLimit: 3, retryBackoff: true },
  schedule: '45 3 * * *',
};

export interface SearchStep extends ShipmentPayload {
  /** What a timer waited for. Without it somebody asks to look now. */
  timer?: { searchId: string; step: number };
}

/** Takes a search for a driver one step further: a wave of offers, the next one, another try later, or its end. */
export const searchDriverJob: JobDefinition<SearchStep> = {
  name: 'search-driver',
  queue: { ...persistent, notify: true, deleteAfterSeconds: 3_600 },
};

export interface DriverNews extends ShipmentPayload {
  driverIds: string[];
  push: DriverPush;
}

/** Says something over the drivers' real-time channel. Old news is no news, so it is not tried for long. */
export const tellDriversJob: JobDefinition<DriverNews> = {
  name: 'tell-drivers',
  queue: { retryLimit: 5, retryDelay: 2, heartbeatSeconds: 15, notify: true, deleteAfterSeconds: 600 },
};

/** Finds the coordinates that were not sent; apart from the rest, which does not wait for a slow geocoder. */
export const locateShipmentJob: JobDefinition<ShipmentPayload> = {
  name: 'locate-shipment',
  queue: { ...persistent, policy: 'exclusive', notify: true, deleteAfterSeconds: 3_600 }, // one per singleton key
};

/**
 * A round: sends a webhook what is pending for it, until nothing is. At most one per webhook, waiting or under way
 * (its key is the webhook's id). The shortest heartbeat there is: another worker goes on within half a minute.
 */
export const deliverWebhooksJob: JobDefinition<WebhookPayload> = {
  name: 'deliver-webhooks',
  queue: {
    policy: 'exclusive',
    retryLimit: 10_000, // what is pending stays pending: a round is never given up
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 30,
    heartbeatSeconds: 10,
    expireInSeconds: 300, // a round hands over long before
    deleteAfterSeconds: 600,
  },
};

/** Starts rounds that should be there and are not, whatever happened to them. */
export const resumeWebhooksJob: JobDefinition = {
  name: 'resume-webhooks',
  queue: { policy: 'singleton', retryLimit: 0, deleteAfterSeconds: 3_600 },
  schedule: '* * * * *',
};

export const purgeWebhookDeliveriesJob: JobDefinition = {
  name: 'purge-webhook-deliveries',
  queue: { policy: 'singleton', retryLimit: 3, retryBackoff: true },
  schedule: '10 3 * * *',
};

export const purgeGeocodedAddressesJob: JobDefinition = {
  name: 'purge-geocoded-addresses',
  queue: { policy: 'singleton', retryLimit: 3, retryBackoff: true },
  schedule: '30 3 * * *',
};

/** A letter with a link for a member, or for somebody who is to become one. */
export interface MemberMail {
  kind: 'invitation' | 'reset';
  /** Of the invitation, or of the member. */
  id: string;
}

/** Given up after some ten minutes: by then people have asked again. */
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

export const purgeMemberLeftoversJob: JobDefinition = {
  name: 'purge-member-leftovers',
  queue: { policy: 'singleton', retryLimit: 3, retryBackoff: true },
  schedule: '20 3 * * *',
};

export interface ImportPayload {
  accountId: string;
  importId: string;
}

/** Creates what an import holds. One per import (its key), taken over within half a minute when its worker dies. */
export const carryOutImportJob: JobDefinition<ImportPayload> = {
  name: 'carry-out-import',
  queue: { ...persistent, policy: 'exclusive', notify: true, deleteAfterSeconds: 3_600 },
};

export const eraseImportsJob: JobDefinition = {
  name: 'erase-imports',
  queue: { policy: 'singleton', retryLimit: 3, retryBackoff: true },
  schedule: '20 4 * * *',
};

export const JOBS: readonly JobDefinition[] = [
  followChangeJob,
  activateShipmentJob,
  sendMessageJob,
  eraseMessagesJob,
  searchDriverJob,
  tellDriversJob,
  locateShipmentJob,
  deliverWebhooksJob,
  resumeWebhooksJob,
  purgeWebhookDeliveriesJob,
  purgeGeocodedAddressesJob,
  carryOutImportJob,
  eraseImportsJob,
  sendMemberMailJob,
  purgeMemberLeftoversJob,
];
