/** A process that a test kills: runs the job archive-shipments once. */
import { openProofStore } from '../src/adapters/files/open-file-store.ts';
import { readConfig } from '../src/config.ts';
import { createDatabase, createPool } from '../src/database/database.ts';
import { archiveShipments } from '../src/features/archive/archive-shipments.ts';

const config = readConfig();
const pool = createPool({ databaseUrl: config.databaseUrl, size: 2 });
const log = { info: () => {} };
await archiveShipments({ db: createDatabase(pool), store: openProofStore(config), log }, 400, () => new Date());
await pool.end();
