/** `npm run demo:drivers`: drivers with the real app in real browsers, on a bad network, while processes are killed. */
import { parseArgs } from 'node:util';
import { runFleet } from './fleet/run-fleet.ts';

const HELP = `Usage: npm run demo:drivers -- [--drivers 10] [--parcels 100] [--kills 3] [--seed 1]

Starts the service on a database and processes of its own. Each driver has the app in a browser context of its own: some
parcels are carried without network, the app is closed in between, and a tenth of the responses is lost after the server
has committed. At the end every history must equal what was done on the phone, and the audit must be clean.
Exits with 1 and names what is wrong when anything is.

Needs PostgreSQL and Redis of the settings (DATABASE_URL, REDIS_URL), Debian's chromium, and \`npm run build\`.`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    drivers: { type: 'string', default: '10' },
    parcels: { type: 'string', default: '100' },
    kills: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
  },
});
if (values.help) {
  console.log(HELP);
} else {
  const [drivers, parcels, kills, seed] = [values.drivers, values.parcels, values.kills, values.seed].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const { faults, ...report } = await runFleet({ drivers, parcels, kills, seed }, console.log);
  console.log(JSON.stringify(report));
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
