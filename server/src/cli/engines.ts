import type pg from 'pg';
import type { Logger } from 'pino';
import type { Geocoder } from '../adapters/geocoder/geocoder.ts';
import { createNationalAddressService } from '../adapters/geocoder/national-address-service.ts';
import { createTownCentres } from '../adapters/geocoder/town-centres.ts';
import { setThisCell } from '../cells/this-cell.ts';
import { type Config, readConfig } from '../config.ts';
import { createDatabase, createPool, type Database, withTimeLimits } from '../database/database.ts';
import { createLocator, type Locator } from '../features/geocoding/index.ts';
import { createLog } from '../observability/create-log.ts';

export interface Engines {
  config: Config;
  pools: Pools;
  db: Database;
  locator: Locator;
  log: Logger;
  close(): Promise<void>;
}

/** Pools connect on first use, so a command opens only the connections that it needs. */
interface Pools {
  main: pg.Pool;
  /** For statements that look rows up by index, which are planned once per connection instead of once per request. */
  prepared: pg.Pool;
  /** For the statements that create shipments: prepared by name and pipelined. */
  creation: pg.Pool;
  /** For exports, which run many short statements: they must not take connections from requests. */
  exports: pg.Pool;
  /** For audits and requests about personal data, which may take minutes: no time limit. */
  long: pg.Pool;
}

function createPools(config: Config): Pools {
  const { databaseUrl, databasePoolSize } = config;
  const limited = withTimeLimits(config); // clients do not wait longer, so the statement is cancelled
  return {
    main: createPool({ ...limited, size: databasePoolSize }),
    prepared: createPool({ ...limited, size: databasePoolSize, lookups: true }),
    creation: createPool({ ...limited, size: 4, pipeline: true, lookups: true }),
    exports: createPool({ ...limited, size: 4, lookups: true }), // exports use the prepared statements of lists
    long: createPool({ databaseUrl, size: 4, connectionTimeLimitMs: limited.connectionTimeLimitMs }),
  };
}

/** The configured service, or an offline list of towns when there is none. */
function createGeocoder({ geocoderUrl }: Config): Geocoder {
  return geocoderUrl ? createNationalAddressService({ baseUrl: geocoderUrl }) : createTownCentres();
}

export function openEngines(config = readConfig(), log = createLog(config.logLevel)): Engines {
  setThisCell(config.cell);
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
