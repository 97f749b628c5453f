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
  db: Database;
  locator: Locator;
  log: Logger;
}

/** With a service named, that service decides; without one, towns are found offline. */
function createGeocoder({ geocoderUrl }: Config): Geocoder {
  return geocoderUrl ? createNationalAddressService({ baseUrl: geocoderUrl }) : createTownCentres();
}

export function openEngines(config = readConfig(), log = createLog(config.logLevel)): Engines {
  const db = createDatabase(createPool(config));
  return { config, db, locator: createLocator(db, createGeocoder(config), log), log };
}

/** Opens the database for one command and closes it whatever happens. */
export async function withEngines<T>(use: (engines: Engines) => Promise<T>): Promise<T> {
  const engines = openEngines();
  try {
    return await use(engines);
  } finally {
    await engines.db.destroy();
  }
}
