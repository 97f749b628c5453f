import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Database } from '../database/database.ts';
import { CommandFailure, UsageError } from './failure.ts';
import { readJsonInputs } from './input.ts';
import { type OutputOptions, printRecord, printTable } from './output.ts';
import { withEngines } from './with-engines.ts';

const drivers = () => import('../features/drivers/index.ts');

export function addDriverCommands(program: Command): void {
  const driver = program
    .command('driver')
    .description('drivers: create, list, set a password, disable')
    .addHelpText('after', '\nDRIVER is an id or an e-mail.\n\nExample:\n  navette driver create --input driver.json');

  driver
    .command('create')
    .description('create a driver from JSON and print the id and a first token, this once; a list creates all or none')
    .requiredOption('--input <file>', 'JSON; - reads standard input')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Fields:
  firstName, lastName, phoneNumber, email   text
  autoAccept                                true: runs are assigned without asking; false when absent
  password                                  for signing in to the app, 10 characters or more; none when absent

Example:
  echo '{"firstName": "Ana", "lastName": "Leroy", "phoneNumber": "+33611111111", "email": "ana@example.org"}' |
    navette driver create --input -`,
    )
    .action(async ({ input, ...output }: OutputOptions & { input: string }) => {
      const fields = await readJsonInputs(input);
      await withEngines(async ({ db }) => {
        const { createDriver, createDrivers } = await drivers();
        if (Array.isArray(fields)) {
          printTable(await orUsageError(createDrivers(db, fields)), ['id', 'token'], output, 'The list is empty.');
        } else printRecord({ ...(await orUsageError(createDriver(db, fields))) }, output);
        if (!output.json) console.log('\nKeep each token now: it is stored hashed and cannot be shown again.');
      });
    });

  driver
    .command('list')
    .description('all drivers, oldest first, with how many shipments they have in hand')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette driver list')
    .action((output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { listDrivers } = await drivers();
        const columns = ['id', 'firstName', 'lastName', 'email', 'available', 'autoAccept', 'runs', 'disabledAt'];
        const whenEmpty = 'No driver yet: `navette driver create --help` shows how to make one.';
        printTable(await listDrivers(db), columns, output, whenEmpty);
      }),
    );

  driver
    .command('password <driver>')
    .description('set the password for the app, read from standard input; ends all sessions and lifts a lock')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nFor a lost telephone too: its token opens nothing within a second.\n\nExample:\n  navette driver password ana@example.org < password.txt',
    )
    .action(async (name: string, output: OutputOptions) => {
      if (process.stdin.isTTY) console.error('Type the password, then Enter and Ctrl-D; it is shown as you type.');
      const password = (await text(process.stdin)).replace(/\r?\n$/, '');
      await withEngines(async ({ db }) => {
        const { id } = await orFailure(db, name);
        const { setPassword } = await drivers();
        await orUsageError(setPassword(db, id, password));
        printRecord({ id, password: 'set' }, output);
      });
    });

  driver
    .command('disable <driver>')
    .description('end all sessions and open sockets of a driver within a second, for good')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nShipments in hand stay theirs until `navette shipment assign` or `unassign`.\n\nExample:\n  navette driver disable ana@example.org',
    )
    .action((name: string, output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { id } = await orFailure(db, name);
        const { disableDriver } = await drivers();
        if (!(await disableDriver(db, id))) throw new CommandFailure(`${name} is disabled already`);
        printRecord({ disabled: id }, output);
      }),
    );
}

/** The driver that the operator means. */
export async function orFailure(db: Database, idOrEmail: string) {
  const { findDriver } = await drivers();
  const driver = await findDriver(db, idOrEmail);
  if (!driver) throw new CommandFailure(`no driver ${idOrEmail}; \`navette driver list\` shows them`);
  return driver;
}

async function orUsageError<T>(work: Promise<T>): Promise<T> {
  const { BadDriverInput } = await drivers();
  return work.catch((error: unknown) => {
    throw error instanceof BadDriverInput ? new UsageError(error.message) : error;
  });
}
