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

/** Tried for hours before it is given up; taken over within half a minute when its worker dies. */
const persistent = { retryLimit: 20, retryBackoff: true, retryDelayMax: 600, heartbeatSeconds: 15 } as const;

/** Enqueued by the transaction that creates a shipment: everything that must follow starts here. */
export const announceShipmentJob: JobDefinition<ShipmentPayload> = {
  name: 'announce-shipment',
  queue: { ...persistent, notify: true, deleteAfterSeconds: 3_600 },
};

/** Waits until a programmed shipment is to look for a driver. */
export const activateShipmentJob: JobDefinition<ShipmentPayload> = {
  name: 'activate-shipment',
  queue: { ...persistent, policy: 'exclusive', deleteAfterSeconds: 86_400 }, // one per singleton key
};

export const purgeGeocodedAddressesJob: JobDefinition = {
  name: 'purge-geocoded-addresses',
  queue: { policy: 'singleton', retryLimit: 3, retryBackoff: true },
  schedule: '30 3 * * *',
};

export const JOBS: readonly JobDefinition[] = [announceShipmentJob, activateShipmentJob, purgeGeocodedAddressesJob];
