import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../server/test/free-port.ts';

const RULES = fileURLToPath(new URL('navette.rules.yml', import.meta.url));
const START_LIMIT_MS = 60_000;

export interface Prometheus {
  url: string;
  /** Names of the alerts that fire at this moment; pending ones do not. */
  firing(): Promise<string[]>;
  stop(): Promise<void>;
}

interface AlertsAnswer {
  data: { alerts: { state: string; labels: { alertname: string } }[] };
}

/** Debian's Prometheus with our rules, scraping these processes every five seconds. */
export async function startPrometheus(folder: string, operatorUrls: string[]): Promise<Prometheus> {
  const targets = operatorUrls.map((url) => `'${new URL(url).host}'`).join(', ');
  const config = join(folder, 'prometheus.yml');
  await writeFile(
    config,
    `global: { scrape_interval: 5s, scrape_timeout: 5s, evaluation_interval: 5s }
rule_files: ['${RULES}']
scrape_configs: [{ job_name: navette, static_configs: [{ targets: [${targets}] }] }]
`,
  );
  const storage = join(folder, 'prometheus');
  await mkdir(storage);
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(
    'prometheus',
    [`--config.file=${config}`, `--storage.tsdb.path=${storage}`, `--web.listen-address=${new URL(url).host}`],
    { stdio: 'ignore' },
  );
  const exited = once(child, 'exit');
  const giveUpAt = performance.now() + START_LIMIT_MS;
  while (!(await fetch(`${url}/-/ready`).catch(() => null))?.ok) {
    if (child.exitCode !== null || performance.now() > giveUpAt) throw new Error('Prometheus does not start');
    await setTimeout(200);
  }
  return {
    url,
    async firing() {
      const { data } = (await (await fetch(`${url}/api/v1/alerts`)).json()) as AlertsAnswer;
      return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
