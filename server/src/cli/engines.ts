import type pg from 'pg';
import type { Logger } from 'pino';
import type { Geocoder } from '../adapters/geocoder/geocoder.ts';
import { createNationalAddressService } from '../adapters/geocoder/national-address-service.ts';
import { createTownCentres } from '../adapters/geocoder/town-centres.ts';
import { type Config, readConfig } from '../config.ts';
import { createDatabase, createPool, type Database } from '../database/database.ts';
import { createLocator, type Locator } from '../features/geocoding/index.ts';
import { createLog } from '../http/log.ts';

export interface Engines {
  config: Config;
  pools: Pools;
  db: Database;
  locator: Locator;
  log: Logger;
  close(): Promise<void>;
}

/** Connections are opened when first used, so a command that needs one pool pays for one. */
interface Pools {
  main: pg.Pool;
  /** For the statements of a creation, which are sent without waiting for each other. */
  creation: pg.Pool;
  /** For exports and audits, which may take minutes: no time limit, and no connection taken from the others. */
  long: pg.Pool;
}

const REQUEST_TIME_LIMIT_MS = 10_000; // no client waits longer; a statement that does is given up

function createPools({ databaseUrl, databasePoolSize }: Config): Pools {
  return {
    main: createPool({ databaseUrl, size: databasePoolSize, timeLimitMs: REQUEST_TIME_LIMIT_MS }),
    creation: createPool({ databaseUrl, size: 4, pipeline: true, timeLimitMs: REQUEST_TIME_LIMIT_MS }),
    long: createPool({ databaseUrl, size: 4 }),
  };
}

/** With a service named, that service decides; without one, towns are found offline. */
function createGeocoder({ geocoderUrl }: Config): Geocoder {
  return geocoderUrl ? createNationalAddressService({ baseUrl: geocoderUrl }) : createTownCentres();
}

export function openEngines(config = readConfig(), log = createLog(config.logLevel)): Engines {
  const pools = createPools(config);
  const db = createDatabase(pools.main);
  return {
    config,
    pools,
    db,
    locator: createLocator(db, createGeocoder(config), log),
    log,
    close: async () => void (await Promise.all(Object.values(pools).map((pool) => pool.end()))),
  };
}
