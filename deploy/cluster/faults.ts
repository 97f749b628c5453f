/** `npm run cluster:faults`: breaks the reference cluster under load and checks that nothing was lost. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { removeCluster, startCluster } from './cluster.ts';
import { FAULTS } from './fault-list.ts';
import { type FaultResult, startFaultRun } from './fault-run.ts';
import { readInventory } from './inventory.ts';

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    small: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    runs: { type: 'string' },
    rate: { type: 'string' },
    out: { type: 'string', default: join(tmpdir(), `navette-cluster-faults-${Date.now()}.json`) },
    folder: { type: 'string' },
  },
});
const unknown = values.only.filter((name) => !FAULTS.some((fault) => fault.name === name));
if (values.help || unknown.length > 0) {
  console.log(`Usage: npm run cluster:faults -- [--small] [--only NAME]… [--runs N] [--rate N] [--out FILE] [--folder DIR]

Faults: ${FAULTS.map(({ name, runs }) => `${name} (${runs})`).join(', ')}

  --small    ${FAULTS.flatMap(({ name, isInSmallRun }) => (isInSmallRun ? name : [])).join(', ')}: once each, 20 creations a second
  --runs N   so often, instead of the number in brackets; the last of several kills Navette's processes as well
  --rate N   creations a second (100)
  --out      file for the results as JSON
  --folder   keeps disks and logs of the cluster there`);
  process.exit(unknown.length > 0 ? 2 : 0);
}

const perSecond = Number(values.rate ?? (values.small ? 20 : 100));
const faults = FAULTS.filter(({ name, isInSmallRun }) =>
  values.only.length > 0 ? values.only.includes(name) : isInSmallRun || !values.small,
);
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());

const print = (line: string) => console.log(line);
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'navette-cluster-'));
const inventory = readInventory(join(import.meta.dirname, 'inventory.json'));
const cluster = await startCluster(inventory, folder, print, interrupted.signal);
const results: FaultResult[] = [];
let failure: unknown = null;
let stopRun = async () => {};
try {
  const run = await startFaultRun(cluster, inventory, perSecond, interrupted.signal);
  stopRun = run.stop;
  print(`${perSecond} creations a second over 10 accounts\n${header()}`);
  for (const fault of faults) {
    const runs = Number(values.runs ?? (values.small ? 1 : fault.runs));
    for (let nth = 1; nth <= runs && !interrupted.signal.aborted; nth++) {
      const withKills = fault.name === 'processes-killed' || (runs > 1 && nth === runs);
      const result = await run.apply(fault, withKills);
      results.push(result);
      print(row(result));
      writeFileSync(values.out, `${JSON.stringify({ perSecond, results }, null, 2)}\n`);
    }
  }
} catch (error) {
  failure = error;
} finally {
  await stopRun();
  await cluster.stop();
}
if (failure) console.error(failure);
const broken = results.filter(({ violations }) => violations.length > 0);
for (const { fault, violations } of broken) console.error(`${fault}: ${violations.join('; ')}`);
print(`${results.length} faults, ${broken.length} with a violation. Results: ${values.out}`);
if (!values.folder && broken.length === 0 && !failure) removeCluster(folder);
else print(`Disks and logs: ${folder}`);
process.exit(broken.length > 0 || failure ? 1 : 0);

function header(): string {
  const titles = [
    'fault',
    'kills',
    'created',
    's without 201',
    'cluster alone',
    'failed tries',
    'last webhook after',
    'lost',
  ];
  return `${titles.map((title, i) => title.padEnd(i === 0 ? 22 : 15)).join('')}violations`;
}

function row(result: FaultResult): string {
  const { secondsWithout201: ours, clusterSecondsWithoutInsert: alone, lastWebhookSeconds: webhook } = result;
  const cells = [
    result.kills,
    result.created,
    ours.toFixed(1),
    alone.toFixed(1),
    result.failedTries,
    webhook.toFixed(1),
  ];
  const line = [result.fault.padEnd(22), ...[...cells, result.lost].map((cell) => String(cell).padEnd(15))].join('');
  return `${line}${result.violations.join('; ') || 'none'}`;
}
