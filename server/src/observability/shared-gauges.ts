import { Gauge, type Registry } from 'prom-client';
import { shareResult } from '../concurrency/share-result.ts';

const SHARED_FOR_MS = 1_000;

export type Sample = [labels: Record<string, string | number>, value: number];

type DefineGauge<Figures> = (
  name: string,
  help: string,
  labelNames: string[],
  samples: (figures: Figures) => Sample[],
) => void;

/**
 * Several gauges from one query per scrape. While the query fails they keep their figures: an old figure is better than a
 * false zero, and the other metrics are served all the same.
 */
export function createSharedGauges<Figures>(registry: Registry, read: () => Promise<Figures>): DefineGauge<Figures> {
  const share = shareResult(SHARED_FOR_MS, () => read().catch(() => undefined));
  return (name, help, labelNames, samples) => {
    new Gauge({
      name: `navette_${name}`,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const figures = await share();
        if (figures === undefined) return;
        for (const [labels, value] of samples(figures)) this.set(labels, value);
      },
    });
  };
}
