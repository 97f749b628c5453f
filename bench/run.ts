/** `npm run bench -- [scenario…]`: see bench/README.md for what each measures and what was measured. */
import { parseArgs } from 'node:util';
import { chaosWebhooks } from './chaos/webhooks.ts';
import { benchCreations } from './creations.ts';
import { benchExport } from './export.ts';
import { benchDrawing, benchReadsBesideExports } from './labels.ts';
import { fillAccount } from './load/fill-account.ts';
import { creations } from './load/merchant-requests.ts';
import { wrk } from './load/tools.ts';
import { benchPages } from './pages.ts';
import { benchRates } from './rates.ts';
import { benchReads } from './reads.ts';
import { type Merchant, type Stack, startStack } from './stack.ts';
import { benchWebhookIsolation, benchWebhooks } from './webhooks.ts';

const SCENARIOS = [
  'creations',
  'reads',
  'rates',
  'export',
  'pages',
  'labels',
  'webhooks',
  'webhook-isolation',
  'webhook-chaos',
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    shipments: { type: 'string', default: '2000000' },
    events: { type: 'string', default: '5000' },
  },
});
const wanted = positionals.length > 0 ? positionals : SCENARIOS;
const unknown = wanted.filter((name) => !SCENARIOS.includes(name));
if (values.help || unknown.length > 0) {
  console.log(`Usage: npm run bench -- [scenario…] [--seconds 10] [--rounds 3] [--shipments 2000000] [--events 5000]

Scenarios (all when none is named): ${SCENARIOS.join(', ')}
Needs wrk, pgbench, psql and curl. Makes databases of its own and drops them.

Examples:
  npm run bench
  npm run bench -- creations --seconds 20
  npm run bench -- pages --shipments 5000000`);
  process.exit(unknown.length > 0 ? 2 : 0);
}
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
const shipments = Number(values.shipments);
const events = Number(values.events);

async function withStack(merchants: number, use: (stack: Stack) => Promise<unknown>): Promise<void> {
  const stack = await startStack(merchants);
  try {
    await use(stack);
  } finally {
    await stack.stop();
  }
}

/** Ratios to an engine are read by a person; what must not depend on the machine ends the run with 1. */
function mustHold(holds: boolean, otherwise: string): void {
  if (holds) return;
  console.error(`bench: ${otherwise}`);
  process.exitCode = 1;
}

const first = (stack: Stack) => stack.merchants[0] as Merchant;

if (wanted.includes('creations')) await withStack(50, (stack) => benchCreations(stack, seconds, rounds));
if (wanted.includes('reads')) {
  await withStack(50, async (stack) => {
    await wrk(stack.url, creations(stack.merchants), 10); // something to read
    await benchReads(stack, seconds, rounds);
  });
}
if (wanted.includes('rates')) await withStack(50, (stack) => benchRates(stack, seconds, rounds));
if (wanted.includes('export')) {
  await withStack(1, async (stack) => {
    await fillAccount(stack, first(stack), 200_000);
    const { memoryMb } = await benchExport(stack, first(stack), rounds);
    mustHold(memoryMb <= 150, `the export took ${memoryMb.toFixed(0)} MB`);
  });
}
if (wanted.includes('labels')) {
  await benchDrawing(seconds, rounds);
  await withStack(1, async (stack) => {
    const moreMs = await benchReadsBesideExports(stack, first(stack), seconds);
    mustHold(moreMs < 100, `reads wait ${moreMs.toFixed(0)} ms more while labels are exported`);
  });
}
if (wanted.includes('pages')) {
  await withStack(1, (small) =>
    withStack(1, async (large) => {
      mustHold(await benchPages(small, large, 10_000, shipments), 'a read costs more on the large table');
    }),
  );
}
if (wanted.includes('webhooks')) await withStack(50, (stack) => benchWebhooks(stack, seconds, rounds));
if (wanted.includes('webhook-isolation')) {
  await withStack(50, async (stack) => {
    const { sent, arrived, p99Ms } = await benchWebhookIsolation(stack, seconds * rounds);
    mustHold(arrived === sent && Number(p99Ms) < 1_000, 'healthy endpoints waited for sick ones');
  });
}
if (wanted.includes('webhook-chaos'))
  mustHold(await chaosWebhooks(events), 'an event was lost, sent too often or late');
