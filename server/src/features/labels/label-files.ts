import type { FastifyBaseLogger } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import type { FileStore } from '../../adapters/files/file-store.ts';
import type { Drawing } from './drawing.ts';
import type { StoredLabel } from './read-labels.ts';
import { fingerprintOf, judge, seal } from './seal.ts';

/** The file of a label, whole and up to date whatever the store holds. */
export type LabelFiles = (stored: StoredLabel) => Promise<Buffer>;

export interface LabelFilesOptions {
  store: FileStore;
  drawing: Drawing;
  metrics: Registry;
  log: FastifyBaseLogger;
}

/**
 * The store is a cache of drawings, and what it holds is checked, not assumed: missing, cut off, altered, or drawn before
 * the shipment changed, a file is drawn again. Out of reach, the store costs time and nothing else.
 */
export function createLabelFiles({ store, drawing, metrics, log }: LabelFilesOptions): LabelFiles {
  const opened = new Counter({
    name: 'navette_label_files_total',
    help: 'Label files asked for, by what the store held: good, missing, altered, outdated, unreachable',
    labelNames: ['found'],
    registers: [metrics],
  });

  async function look(name: string, fingerprint: string) {
    try {
      const file = await store.read(name);
      return file ? { file, found: judge(file, fingerprint) } : { file, found: 'missing' as const };
    } catch (error) {
      log.warn({ err: error }, 'label store: read failed');
      return { file: null, found: 'unreachable' as const };
    }
  }

  return async ({ label, fileName }) => {
    const fingerprint = fingerprintOf(label);
    const { file, found } = await look(fileName, fingerprint);
    opened.inc({ found });
    if (file && found === 'good') return file;
    const drawn = seal(await drawing.drawFile(label), fingerprint);
    if (found === 'unreachable') return drawn; // writing would only make the client wait again
    await store.write(fileName, drawn).catch((error: unknown) => {
      log.warn({ err: error }, 'label store: write failed');
    });
    return drawn;
  };
}
