import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { openEngines } from '../../server/src/cli/engines.ts';
import { startRoles } from '../../server/src/cli/start-roles.ts';
import { readConfig, SECRET_VARIABLES } from '../../server/src/config.ts';
import { freePort } from '../../server/src/network/free-port.ts';
import { createLog } from '../../server/src/observability/create-log.ts';
import { createMemoryState } from '../../server/src/shared-state.ts';
import { serveControl } from './control-routes.ts';
import { createRunFolder, removeAbandonedFolders } from './postgres/run-folders.ts';
import { DATABASE, startCluster } from './prepare-cluster.ts';
import { restoreDatabase } from './restore-database.ts';
import { applySeeds, type Seeds } from './seeds.ts';

export interface EmulatorOptions {
  host: string;
  /** 0: a free one. */
  port: number;
  seeds: Seeds;
  /** Of the service's log on standard error. */
  logLevel: string;
  /** Called when a client asks the emulator to stop, or PostgreSQL has ended. */
  onEnd: (reason: 'asked' | 'crashed') => void;
}

export interface RunningEmulator {
  url: string;
  stop(): Promise<void>;
}

/** The service caches settings of accounts for half a second. */
const CACHED_FOR_MS = 500;
const HERE = ['127.0.0.0/8', '::1/128', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'];

/** The service with both roles in this process, with a PostgreSQL of its own and everything else in memory. */
export async function runEmulator(options: EmulatorOptions): Promise<RunningEmulator> {
  const { host, port, seeds, logLevel, onEnd } = options;
  const loading = loadRoles();
  await removeAbandonedFolders();
  const folder = await createRunFolder();
  const settings = settingsFor(folder, host, port === 0 ? await freePort() : port, logLevel);
  const postgres = await startCluster(folder, settings);
  void postgres.crashed.then(() => onEnd('crashed'));
  const databaseUrl = postgres.urlOf(DATABASE);
  const config = readConfig({ ...settings, DATABASE_URL: databaseUrl });
  const engines = openEngines(config, createLog(config.logLevel, process.stderr));
  const state = createMemoryState();
  let app: FastifyInstance | undefined;
  let isStopping = false;

  const seed = async () => app && (await applySeeds(app, seeds));
  const reset = async () => {
    const isCached = await restoreDatabase(databaseUrl);
    state.clear();
    if (isCached) await setTimeout(CACHED_FOR_MS);
    await seed();
  };
  await loading;
  const stopRoles = await startRoles(engines, {
    roles: ['worker', 'api'],
    state,
    isStopping: () => isStopping,
    extend(created) {
      app = created;
      serveControl(created, { db: engines.db, publicUrl: config.publicUrl, reset, stop: () => onEnd('asked') });
    },
  });
  await seed();
  return {
    url: config.publicUrl,
    async stop() {
      isStopping = true;
      await stopRoles();
      await engines.close();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** While PostgreSQL starts, in another process. */
const loadRoles = () => Promise.all([import('../../server/src/app.ts'), import('../../server/src/worker.ts')]);

/** Nothing comes from the environment: an emulator is the same on every machine. */
function settingsFor(folder: string, host: string, port: number, logLevel: string): Record<string, string> {
  const isLocal = host === '0.0.0.0' || host === '::';
  return {
    HOST: host,
    PORT: String(port),
    PUBLIC_URL: `http://${isLocal ? '127.0.0.1' : host}:${port}`,
    LOG_LEVEL: logLevel,
    LABEL_STORE: join(folder, 'labels'),
    PROOF_STORE: join(folder, 'proofs'),
    WEBHOOK_ALLOWED_NETWORKS: HERE.join(','),
    DATABASE_TIME_LIMIT_SECONDS: '60', // CI machines are slow at times
    ...Object.fromEntries(SECRET_VARIABLES.map((name) => [name, 'of-every-emulator-and-therefore-no-secret'])),
  };
}
