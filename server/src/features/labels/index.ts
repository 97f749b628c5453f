import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Registry } from 'prom-client';
import type { FileStore } from '../../adapters/files/file-store.ts';
import { bindLabelsOfDashboard } from './dashboard-routes.ts';
import { createDrawing } from './drawing.ts';
import { createLabelFiles } from './label-files.ts';
import { servePublicFiles } from './public-files.ts';
import { bindLabelRoutes } from './routes.ts';

export interface LabelsOptions {
  pool: pg.Pool;
  store: FileStore;
  threads: number;
  publicUrl: string;
  timeZone: string;
  metrics: Registry;
  log: FastifyBaseLogger;
  now: () => Date;
}

export function serveLabels(app: FastifyInstance, options: LabelsOptions): void {
  const { pool, store, threads, publicUrl, timeZone, metrics, log, now } = options;
  const drawing = createDrawing(threads);
  const files = createLabelFiles({ store, drawing, metrics, log });
  app.addHook('onClose', () => drawing.stop());
  bindLabelRoutes(app, { pool, drawing, files, publicUrl, timeZone });
  bindLabelsOfDashboard(app, { pool, drawing, files, publicUrl, timeZone });
  servePublicFiles(app, { pool, files, timeZone, now });
}
