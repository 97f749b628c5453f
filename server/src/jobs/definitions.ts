import type { Queue } from 'pg-boss';

/** What can be asked of the worker: a name and how its queue behaves. Handlers live with their feature. */
export interface JobDefinition {
  name: string;
  queue: Omit<Queue, 'name'>;
  /** Cron expression in the service's time zone, for work that nobody asks for. */
  schedule?: string;
}

export const purgeGeocodedAddressesJob: JobDefinition = {
  name: 'purge-geocoded-addresses',
  queue: { policy: 'singleton', retryLimit: 3, retryBackoff: true },
  schedule: '30 3 * * *',
};

export const JOBS: readonly JobDefinition[] = [purgeGeocodedAddressesJob];
