/** `npm run bench -- [scenario…]`: bench/README.md describes each scenario and its results. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchAccountMove } from './account-move.ts';
import { benchArchive } from './archive.ts';
import { chaosWebhooks } from './chaos/webhooks.ts';
import { benchConsole } from './console.ts';
import { benchCreations } from './creations.ts';
import { benchExport } from './export.ts';
import { benchFigures } from './figures.ts';
import { benchFloods } from './floods.ts';
import { benchFollowUps } from './follow-ups.ts';
import { benchGrowth } from './growth.ts';
import { benchInvoices } from './invoices.ts';
import { benchKept } from './kept.ts';
import { benchDrawing, benchReadsBesideExports } from './labels.ts';
import { benchLives } from './lives.ts';
import { fillAccount } from './load/fill-account.ts';
import { creations } from './load/merchant-requests.ts';
import { wrk } from './load/tools.ts';
import { benchPages } from './pages.ts';
import { benchRates } from './rates.ts';
import { benchReads } from './reads.ts';
import { benchRouter, CELL } from './router.ts';
import { benchScrape } from './scrape.ts';
import { type Merchant, type Stack, startStack } from './stack.ts';
import { benchTracing } from './tracing.ts';
import { benchVersus } from './versus.ts';
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
  'floods',
  'tracing',
  'scrape',
  'console',
  'figures',
  'invoices',
  'lives',
  'router',
  'account-move',
  'archive',
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    shipments: { type: 'string' },
    events: { type: 'string', default: '5000' },
    messages: { type: 'string', default: '1000000' },
    rate: { type: 'string', default: '8' },
    climb: { type: 'boolean', default: false },
    accounts: { type: 'string', default: '20000' },
    data: { type: 'string' },
    beside: { type: 'string' },
  },
});
/** Only when they are named: `growth` takes more than an hour and 70 GB. */
const LONG_SCENARIOS = ['growth', 'follow-ups', 'kept'];
const wanted = positionals.length > 0 || values.beside ? positionals : SCENARIOS;
const unknown = wanted.filter((name) => ![...SCENARIOS, ...LONG_SCENARIOS].includes(name));
if (values.help || unknown.length > 0) {
  console.log(`Usage: npm run bench -- [scenario…] [--seconds 10] [--rounds 3] [--shipments 2000000] [--events 5000] [--messages 1000000] [--rate 8] [--climb] [--beside DIR]

Scenarios (all when none is named): ${SCENARIOS.join(', ')}
Only when named: kept, what a delivered shipment leaves in the database as time passes; follow-ups, the rate of creations at which workers keep up; growth, a year of 50 million shipments (--shipments) of 20,000 accounts (--accounts); --data DIR keeps them.
With --beside: creations, reads and rates, or lives, of this version beside those of another checkout with its packages
installed. Lives: --rate a second; --climb raises the rate by a quarter as long as no job waits for more than two
seconds, each rate for --seconds.
Needs wrk, pgbench, psql and curl. Makes databases of its own and drops them.

Examples:
  npm run bench
  npm run bench -- creations --seconds 20
  npm run bench -- pages --shipments 5000000
  npm run bench -- --beside ../navette-before
  npm run bench -- growth --shipments 1000000 --data /var/tmp/growth
  npm run bench -- lives --seconds 300 --rate 15 --climb --beside ../navette-before`);
  process.exit(unknown.length > 0 ? 2 : 0);
}
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
const events = Number(values.events);
const messages = Number(values.messages);

/** The heap that Node.js allows itself with 1 GiB of memory, the limit of every installation in deploy/. */
const HEAP_AS_DEPLOYED = { NODE_OPTIONS: '--max-old-space-size=512' };

async function withStack(
  merchants: number,
  use: (stack: Stack) => Promise<unknown>,
  settings: Record<string, string> = {},
): Promise<void> {
  const stack = await startStack(merchants, settings);
  try {
    await use(stack);
  } finally {
    await stack.stop();
  }
}

/** A person judges ratios to an engine. A failed check that does not depend on the machine sets exit code 1. */
function mustHold(holds: boolean, otherwise: string): void {
  if (holds) return;
  console.error(`bench: ${otherwise}`);
  process.exitCode = 1;
}

if (values.beside && !wanted.includes('lives')) {
  const ratios = await benchVersus(values.beside, seconds, rounds);
  mustHold(Math.min(...ratios) >= 0.97, 'this version is slower by more than 3%');
}

const first = (stack: Stack) => stack.merchants[0] as Merchant;

if (wanted.includes('creations')) await withStack(50, (stack) => benchCreations(stack, seconds, rounds));
if (wanted.includes('reads')) {
  await withStack(50, async (stack) => {
    await wrk(stack.url, creations(stack.merchants), 10); // creates rows to read
    await benchReads(stack, seconds, rounds);
  });
}
if (wanted.includes('rates')) await withStack(50, (stack) => benchRates(stack, seconds, rounds));
if (wanted.includes('router')) {
  const settings = { CELL, DIRECTORY_URL: 'postgres://127.0.0.1:1/not_asked' };
  await withStack(50, (stack) => benchRouter(stack, seconds, rounds), settings);
}
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
      mustHold(
        await benchPages(small, large, 10_000, Number(values.shipments ?? 2_000_000)),
        'a read costs more on the large table',
      );
    }),
  );
}
if (wanted.includes('invoices')) {
  await withStack(1, async (stack) => {
    const holds = await benchInvoices(stack, [1_000, 10_000, 100_000]);
    mustHold(holds, 'a shipment of a large account costs more at the end of the month');
  });
}
if (wanted.includes('account-move')) {
  const frozen = await benchAccountMove(100_000);
  mustHold(frozen < 60, `the account was frozen for ${frozen.toFixed(0)} s`);
}
if (wanted.includes('archive')) {
  const store = await mkdtemp(join(tmpdir(), 'navette-bench-'));
  await withStack(1, (stack) => benchArchive(stack, first(stack), 20_000), { PROOF_STORE: store });
  await rm(store, { recursive: true });
}
if (wanted.includes('webhooks')) await withStack(50, (stack) => benchWebhooks(stack, seconds, rounds));
if (wanted.includes('webhook-isolation')) {
  await withStack(50, async (stack) => {
    const { sent, arrived, p99Ms } = await benchWebhookIsolation(stack, seconds * rounds);
    mustHold(arrived === sent && Number(p99Ms) < 1_000, 'healthy endpoints waited for sick ones');
  });
}
if (wanted.includes('floods')) {
  const bench = async (stack: Stack) =>
    mustHold(await benchFloods(stack, seconds), 'a flood of one caller is felt by another');
  await withStack(2, bench, HEAP_AS_DEPLOYED);
}
if (wanted.includes('tracing')) {
  mustHold((await benchTracing(1, seconds, rounds)) <= 1.03, 'tracing 1 % of the requests costs more than 3 %');
}
if (wanted.includes('scrape')) {
  const { p50Ms } = await benchScrape(messages, seconds * rounds);
  mustHold(p50Ms < 10, `a scrape takes ${p50Ms.toFixed(1)} ms`);
}
if (wanted.includes('console')) {
  const size = { drivers: 2_000, open: 20_000, inbox: 200, consoles: 50 };
  const noLimit = { DISPATCH_RUNS_PER_DRIVER: '1000' };
  const bench = (small: Stack) =>
    withStack(
      1,
      async (large) => mustHold(await benchConsole(small, large, size), 'the console is slow in a large company'),
      noLimit,
    );
  await withStack(1, bench, noLimit);
}
if (wanted.includes('figures')) {
  const size = { days: 60, merchants: 5_000, drivers: 2_000, zones: 2_000 };
  await withStack(1, (small) =>
    withStack(1, async (large) => {
      mustHold(await benchFigures(small, large, size), 'the page of figures is slow in a large company');
    }),
  );
}
if (wanted.includes('lives')) {
  const { beside, climb } = values;
  await benchLives({ rate: Number(values.rate), seconds, beside, climb });
}
if (wanted.includes('kept')) await benchKept();
if (wanted.includes('follow-ups')) await benchFollowUps(seconds, 300);
if (wanted.includes('growth')) {
  const { data, accounts, rate } = values;
  const shipments = Number(values.shipments ?? 50_000_000);
  const options = { shipments, accounts: Number(accounts), data, rate: Number(rate), seconds };
  mustHold(await benchGrowth(options), 'a read or the night costs more in a large company');
}
if (wanted.includes('webhook-chaos'))
  mustHold(await chaosWebhooks(events), 'an event was lost, sent too often or late');
