import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { readBuild } from '../config.ts';

/** The metrics of one process, whichever roles it runs. The operator's listener serves them. */
export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { version, commit } = readBuild();
  const build = new Gauge({
    name: 'navette_build_info',
    help: 'Always 1; the labels say which build runs',
    labelNames: ['version', 'commit'],
    registers: [registry],
  });
  build.set({ version, commit: commit ?? 'unknown' }, 1);
  return registry;
}
