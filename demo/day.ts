/** `npm run demo:day`: a whole day of deliveries in about a minute, through the public APIs only. */
import { parseArgs } from 'node:util';
import type { DayOptions } from './day/day.ts';
import { type Reporter, runDay } from './day/run-day.ts';
import { createReporter, printSummary } from './day/summary.ts';

const HELP = `Usage: npm run demo:day -- [--shipments 300] [--drivers 40] [--kill | --faults] [--minutes N] [--seed 1]

Runs a day of deliveries in Paris on a database and processes of its own, and checks all of it at the end: histories,
webhooks, messages, codes and the audit. Exits with 1 and names what is wrong when anything is.

  --shipments N   how many parcels (at least 40, so that everything happens at least once)
  --drivers N     how many drivers, half on HTTP and half on the socket (at least 8)
  --kill          kill -9 a worker or an api process every few seconds, all day long
  --faults        on a PostgreSQL and a Redis of its own: these crash, hang and lose connections too, processes are
                  killed and stopped for a while, and the SMS carrier and the mail relay fail
  --minutes N     spread the orders over so many minutes
  --seed N        another day; the same number plans the same one

Needs the PostgreSQL and Redis of the settings (DATABASE_URL, REDIS_URL); with --faults, their programs.

Examples:
  npm run demo:day
  npm run demo:day -- --kill
  npm run demo:day -- --drivers 500 --shipments 5000      the load test: minutes
  npm run demo:day -- --faults --minutes 60 --shipments 4000 --drivers 52`;

const DAY = { faultEveryMs: 2_500, mostFaults: Number.POSITIVE_INFINITY, mostSecondsToRush: 90 };
const LEAST = { shipments: 40, drivers: 8 };

function readOptions(): DayOptions | null {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      shipments: { type: 'string', default: '300' },
      drivers: { type: 'string', default: '40' },
      kill: { type: 'boolean', default: false },
      faults: { type: 'boolean', default: false },
      minutes: { type: 'string' },
      seed: { type: 'string', default: '1' },
    },
  });
  if (values.help) return null;
  const [shipments, drivers, seed] = [values.shipments, values.drivers, values.seed].map(Number) as [
    number,
    number,
    number,
  ];
  const minutes = values.minutes === undefined ? null : Number(values.minutes);
  const disturbed: DayOptions['faults'] = values.kill ? 'kills' : 'none';
  const wrong = [
    ...(Number.isInteger(shipments) && shipments >= LEAST.shipments
      ? []
      : [`--shipments: at least ${LEAST.shipments}`]),
    ...(Number.isInteger(drivers) && drivers >= LEAST.drivers ? [] : [`--drivers: at least ${LEAST.drivers}`]),
    ...(Number.isInteger(seed) ? [] : ['--seed: a whole number']),
    ...(minutes === null || minutes > 0 ? [] : ['--minutes: more than 0']),
    ...(values.kill && values.faults ? ['--faults kills processes, too: --kill is not needed'] : []),
  ];
  if (wrong.length > 0) throw new Error(wrong.join('; '));
  return { ...DAY, shipments, drivers, seed, minutes, faults: values.faults ? 'all' : disturbed };
}

async function main(): Promise<number> {
  let options: ReturnType<typeof readOptions>;
  try {
    options = readOptions();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
    return 2;
  }
  if (!options) {
    console.log(HELP);
    return 0;
  }
  const reporter: Reporter = createReporter(process.stdout);
  const report = await runDay(options, reporter);
  printSummary(report, process.stdout);
  return report.violations.length === 0 ? 0 : 1;
}

process.exitCode = await main();
