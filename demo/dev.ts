/** `npm run dev`: the whole service for development, with example data, in one command. */
import { parseArgs } from 'node:util';
import { type Dev, type DevPorts, startDev } from './dev/run-dev.ts';

const HELP = `Usage: npm run dev -- [--port 5173] [--driver-port 5174] [--console-port 5175] [--api-port 3000] [--messages-port 8025]

Starts api, worker, dashboard, driver app and the operator's console with reload, a page with every SMS and e-mail,
example data and moving drivers.
Needs PostgreSQL and Redis on loopback (DATABASE_URL, REDIS_URL). Uses the database navette_dev, unless DATABASE_URL
names another one; to start over, stop it and run: dropdb -h 127.0.0.1 navette_dev

  --port N            the address to open (5173)
  --driver-port N     the driver app (5174)
  --console-port N    the operator's console (5175)
  --api-port N        the service behind all of them (3000)
  --messages-port N   the page with SMS and e-mails (8025)`;

function readPorts(): DevPorts | null {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      port: { type: 'string', default: '5173' },
      'driver-port': { type: 'string', default: '5174' },
      'console-port': { type: 'string', default: '5175' },
      'api-port': { type: 'string', default: '3000' },
      'messages-port': { type: 'string', default: '8025' },
    },
  });
  if (values.help) return null;
  const ports = {
    port: Number(values.port),
    driverPort: Number(values['driver-port']),
    consolePort: Number(values['console-port']),
    apiPort: Number(values['api-port']),
    messagesPort: Number(values['messages-port']),
  };
  for (const [name, value] of Object.entries(ports)) {
    if (!Number.isInteger(value) || value < 1 || value > 65_535) throw new Error(`${name}: not a port`);
  }
  return ports;
}

function printAddresses({ url, driverUrl, consoleUrl, invitation, messagesUrl, world }: Dev): void {
  const signIns = world.accounts.flatMap(({ name, members }) => members.map((email) => `  ${email.padEnd(22)}${name}`));
  console.log(`
Start page         ${url}/
Dashboard          ${url}/dashboard/
Driver app         ${driverUrl}/driver/
Console            ${consoleUrl}/console/
Documentation      ${url}/docs
SMS and e-mails    ${messagesUrl}/

Sign in, password "${world.password}":
${signIns.join('\n')}
${invitation ? `\nThe first admin of the console chooses a password and a second factor:\n  ${invitation}\n` : ''}
${world.shipments} shipments; ${world.drivers.length} drivers are moving. Ctrl-C ends everything.`);
}

const ports = readPorts();
if (ports) {
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  const starting = startDev(ports, (line) => console.log(line));
  const started = await Promise.race([starting, interrupted]);
  if (started) {
    printAddresses(started);
    try {
      await Promise.race([interrupted, started.ended]);
    } finally {
      await started.stop();
    }
  } else await (await starting).stop();
  process.exit(0); // a request of a driver may still be waiting for its answer
} else console.log(HELP);
