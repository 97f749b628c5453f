import type { FastifyBaseLogger } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import type { FileStore } from '../../adapters/files/file-store.ts';
import type { DrawingPool } from './drawing-pool.ts';
import type { StoredLabel } from './read-labels.ts';
import { checkSeal, fingerprintOf, seal } from './seal.ts';

/** The file of a label, complete and up to date whatever the store contains. */
export type LabelFiles = (stored: StoredLabel) => Promise<Buffer>;

export interface LabelFilesOptions {
  store: FileStore;
  drawing: DrawingPool;
  registry: Registry;
  log: FastifyBaseLogger;
}

/**
 * The store is a cache whose files are verified on each read: a missing, truncated, altered or outdated file is drawn
 * again. An unreachable store only costs time.
 */
export function createLabelFiles({ store, drawing, registry, log }: LabelFilesOptions): LabelFiles {
  const opened = new Counter({
    name: 'navette_label_files_total',
    help: 'Label files asked for, by what the store held: good, missing, altered, outdated, unreachable',
    labelNames: ['found'],
    registers: [registry],
  });

  async function readStored(name: string, fingerprint: string) {
    try {
      const file = await store.read(name);
      return file ? { file, found: checkSeal(file, fingerprint) } : { file, found: 'missing' as const };
    } catch (error) {
      log.warn({ err: error }, 'label store: read failed');
      return { file: null, found: 'unreachable' as const };
    }
  }

  return async ({ accountId, label, fileName }) => {
    const fingerprint = fingerprintOf(label);
    const { file, found } = await readStored(fileName, fingerprint);
    opened.inc({ found });
    if (file && found === 'good') return file;
    const drawn = seal(await drawing.drawFile(accountId, label), fingerprint);
    if (found === 'unreachable') return drawn; // a write would only make the client wait again
    await store.write(fileName, drawn).catch((error: unknown) => {
      log.warn({ err: error }, 'label store: write failed');
    });
    return drawn;
  };
}
