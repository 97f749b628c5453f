import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Registry } from 'prom-client';
import type { FileStore } from '../../adapters/files/file-store.ts';
import type { Database } from '../../database/database.ts';
import { createDrawingPool } from './drawing-pool.ts';
import { createLabelExport } from './export-labels.ts';
import { createLabelFiles } from './label-files.ts';
import { bindLabelDashboardRoutes } from './labels-dashboard-routes.ts';
import { bindLabelRoutes } from './labels-routes.ts';
import { servePublicFiles } from './public-files.ts';

export { labelFileNameOf, referenceOfFile } from './read-labels.ts';

export interface LabelsOptions {
  db: Database;
  pool: pg.Pool;
  store: FileStore;
  threads: number;
  publicUrl: string;
  timeZone: string;
  registry: Registry;
  log: FastifyBaseLogger;
  now: () => Date;
}

export function serveLabels(app: FastifyInstance, options: LabelsOptions): void {
  const { db, pool, store, threads, publicUrl, timeZone, registry, log, now } = options;
  const drawing = createDrawingPool(threads);
  const files = createLabelFiles({ store, drawing, registry, log });
  app.addHook('onClose', () => drawing.stop());
  const routing = { pool, exportLabels: createLabelExport(pool, drawing, timeZone), files, publicUrl, timeZone };
  bindLabelRoutes(app, routing);
  bindLabelDashboardRoutes(app, { ...routing, now });
  servePublicFiles(app, { db, pool, files, timeZone, now });
}
