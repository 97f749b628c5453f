/** `npm run demo:robots`: robot couriers of a test account carry a day of shipments. */
import { parseArgs } from 'node:util';
import { runRobots } from './robots/run-robots.ts';

const HELP = `Usage: npm run demo:robots -- [--shipments 300] [--seconds 1] [--kills 0]

Starts the service on a database and processes of its own, creates a test account, lets its robots deliver by themselves,
and creates the shipments. At the end every history must have each step once, every webhook its event, and the audit must
be clean. Exits with 1 and names everything that is wrong.

  --shipments N   how many parcels
  --seconds N     how long a robot takes for each step
  --kills N       how many times a process is killed with SIGKILL meanwhile

Needs PostgreSQL and Redis of the settings (DATABASE_URL, REDIS_URL).`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    shipments: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '1' },
    kills: { type: 'string', default: '0' },
  },
});
if (values.help) {
  console.log(HELP);
} else {
  const [shipments, secondsPerStep, kills] = [values.shipments, values.seconds, values.kills].map(Number) as [
    number,
    number,
    number,
  ];
  const { faults, ...report } = await runRobots({ shipments, secondsPerStep, kills }, console.log);
  console.log(JSON.stringify(report));
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
