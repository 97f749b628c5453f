import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { addDriverInviteCommand } from './driver-invite.ts';
import { addDriverPayCommands } from './driver-pay.ts';
import { addDriverPushKeyCommand } from './driver-push-key.ts';
import { CommandFailure, UsageError } from './failure.ts';
import { readJsonInputs } from './input.ts';
import { orFailure } from './known-driver.ts';
import { actAtCommandLine, driverSubject, recordedAtCommandLine } from './operator-context.ts';
import { type OutputOptions, printRecord, printTable } from './output.ts';
import { withEngines } from './with-engines.ts';

const drivers = () => import('../features/drivers/index.ts');

export function addDriverCommands(program: Command): void {
  const driver = program
    .command('driver')
    .description('manage drivers: create, invite, list, set a password, list and close sessions, pay, disable')
    .addHelpText('after', '\nDRIVER is an id or an e-mail.\n\nExample:\n  navette driver create --input driver.json');

  driver
    .command('create')
    .description(
      'create a driver, or a list of drivers, from JSON; print ids and first tokens, which are shown only once',
    )
    .requiredOption('--input <file>', 'JSON; - reads standard input')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Fields:
  firstName, lastName, email                text
  phoneNumber                               French, such as "06 12 34 56 78", or international; stored as +33612345678
  autoAccept                                true: runs are assigned without an offer; default false
  password                                  for the app, at least 10 characters; optional

A list creates either all drivers or none.

Example:
  echo '{"firstName": "Ana", "lastName": "Leroy", "phoneNumber": "+33611111111", "email": "ana@example.org"}' |
    navette driver create --input -`,
    )
    .action(async ({ input, ...output }: OutputOptions & { input: string }) => {
      const fields = await readJsonInputs(input);
      await withEngines(async ({ db }) => {
        const { createDriver, createDrivers } = await drivers();
        const recorded = await recordedAtCommandLine<{ id: string }[]>(db, (created) =>
          created.length > 0
            ? { act: 'driver.created', details: { drivers: created.map(({ id }) => id).join(' ') } }
            : null,
        );
        if (Array.isArray(fields)) {
          printTable(
            await orUsageError(createDrivers(recorded, fields)),
            ['id', 'token'],
            output,
            'The list is empty.',
          );
        } else printRecord({ ...(await orUsageError(createDriver(recorded, fields))) }, output);
        if (!output.json) console.log('\nSave each token now: only its hash is stored, so it cannot be shown again.');
      });
    });

  driver
    .command('list')
    .description('list all drivers, oldest first, with the number of their current runs')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette driver list')
    .action((output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { listDrivers } = await drivers();
        const columns = ['id', 'firstName', 'lastName', 'email', 'available', 'autoAccept', 'runs', 'disabledAt'];
        const whenEmpty = 'No driver yet: `navette driver create --help` shows how to create one.';
        printTable(await listDrivers(db), columns, output, whenEmpty);
      }),
    );

  driver
    .command('password <driver>')
    .description('set the password for the app, read from standard input; closes all sessions and unlocks sign-in')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nAlso for a lost phone: its token is refused within a second.\n\nExample:\n  navette driver password ana@example.org < password.txt',
    )
    .action(async (name: string, output: OutputOptions) => {
      if (process.stdin.isTTY) console.error('Type the password, then Enter and Ctrl-D; it is shown as you type.');
      const password = (await text(process.stdin)).replace(/\r?\n$/, '');
      await withEngines(async ({ db }) => {
        const { id } = await orFailure(db, name);
        const { setPassword } = await drivers();
        const act = { act: 'driver.password_set', subject: driverSubject(id) } as const;
        await orUsageError(setPassword(await recordedAtCommandLine(db, () => act), id, password));
        printRecord({ id, password: 'set' }, output);
      });
    });

  driver
    .command('token <driver>')
    .description('open a session and print its token, shown only once: for a driver without a password, or locked out')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nVerify the identity of the recipient first.\n\nExample:\n  navette driver token ana@example.org',
    )
    .action((name: string, output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { id } = await orFailure(db, name);
        const { issueToken } = await drivers();
        const act = { act: 'driver.token_issued', subject: driverSubject(id) } as const;
        const token = await issueToken(await recordedAtCommandLine(db, (issued) => (issued ? act : null)), id);
        if (!token) throw new CommandFailure(`${name} is disabled`);
        printRecord({ id, token }, output);
        if (!output.json) console.log('\nSave the token now: only its hash is stored, so it cannot be shown again.');
      }),
    );

  driver
    .command('sessions <driver>')
    .description('list the open sessions of a driver, last used first')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nA session expires 30 days after its last use, and 180 days after it was opened.\n\nExample:\n  navette driver sessions ana@example.org',
    )
    .action((name: string, output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { id } = await orFailure(db, name);
        const { listSessions } = await drivers();
        const columns = ['id', 'device', 'createdAt', 'lastUsedAt', 'expiresAt'];
        printTable(await listSessions(db, id, new Date()), columns, output, 'No open session.');
      }),
    );

  driver
    .command('sign-out <driver> [session]')
    .description('close a session of a driver, or all: tokens are refused and sockets close within a second')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nSESSION is an id of `navette driver sessions`. The driver can sign in again with the password.\n\nExample:\n  navette driver sign-out ana@example.org',
    )
    .action((name: string, session: string | undefined, output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { id } = await orFailure(db, name);
        const { endSessions } = await drivers();
        const which = session === undefined ? 'all' : { only: session };
        const ended = await actAtCommandLine(db, async (joined) => {
          const result = await endSessions(joined, id, which, new Date());
          const details = { sessions: result.length };
          return { result, act: { act: 'driver.signed_out', subject: driverSubject(id), details } };
        });
        if (session !== undefined && ended.length === 0) {
          throw new CommandFailure(`no session ${session}; \`navette driver sessions ${name}\` shows them`);
        }
        printRecord({ id, sessionsEnded: ended.length }, output);
      }),
    );

  driver
    .command('disable <driver>')
    .description('disable a driver permanently: sessions and sockets close within a second')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nCurrent runs stay assigned until `navette shipment assign` or `unassign`.\n\nExample:\n  navette driver disable ana@example.org',
    )
    .action((name: string, output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { id } = await orFailure(db, name);
        const { disableDriver } = await drivers();
        const act = { act: 'driver.disabled', subject: driverSubject(id) } as const;
        const recorded = await recordedAtCommandLine<boolean>(db, (isDisabled) => (isDisabled ? act : null));
        if (!(await disableDriver(recorded, id))) throw new CommandFailure(`${name} is already disabled`);
        printRecord({ disabled: id }, output);
      }),
    );

  addDriverInviteCommand(driver);
  addDriverPayCommands(driver);
  addDriverPushKeyCommand(driver);
}

async function orUsageError<T>(work: Promise<T>): Promise<T> {
  const { BadDriverInput } = await drivers();
  return work.catch((error: unknown) => {
    throw error instanceof BadDriverInput ? new UsageError(error.message) : error;
  });
}
