import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import type { MoveProgress, MoveRequest } from '../features/account-move/index.ts';
import { CommandFailure, UsageError } from './failure.ts';
import { readId } from './input.ts';
import { accountSubject, actAtCommandLine } from './operator-context.ts';
import { type OutputOptions, printRecord } from './output.ts';
import { withDirectory } from './with-directory.ts';
import { withEngines } from './with-engines.ts';

const LINE_EVERY_MS = 2_000;

interface MoveOptions extends OutputOptions {
  to?: string;
  targetUrl?: string;
  sourceUrlForTarget?: string;
  wait?: boolean;
  drainSeconds: string;
  abandon?: boolean;
  forget?: boolean;
}

const accountMove = () => import('../features/account-move/index.ts');

export function addAccountMoveCommand(account: Command): void {
  account
    .command('move <account>')
    .description('move an account and its test twin to another cell, while they work')
    .option('--to <cell>', 'tag of the cell that will serve the account')
    .option('--target-url <url>', 'direct address of the target’s PostgreSQL, as a superuser')
    .option(
      '--source-url-for-target <url>',
      'address of this PostgreSQL as the target reaches it, if it is another one',
    )
    .option('--wait', 'wait until no driver has a shipment of the account, instead of refusing')
    .option('--drain-seconds <seconds>', 'how long jobs of the account may take to end while it is frozen', '120')
    .option('--abandon', 'undo an unfinished move')
    .option('--forget', 'delete the rows of an account that was moved away from this cell')
    .option('--json', 'print JSON, one line per step')
    .addHelpText(
      'after',
      `
The account works while its rows are copied. Then its requests get a 503 with Retry-After for some seconds. Interrupted,
run the same command again: it continues. A failure before the other cell serves the account undoes the move.
Run it with the settings of the cell that the account leaves. PostgreSQL there needs wal_level = logical. Passwords: \`~/.pgpass\`, or in the addresses.

Example:
  navette account move ACCOUNT --to Q3 --target-url postgres://postgres@db.q3.example/navette
  navette account move ACCOUNT --forget`,
    )
    .action(async (accountId: string, options: MoveOptions) => {
      const id = readId(accountId);
      const report = createReport(options);
      const { abandonMove, forgetAccount, moveAccount, MoveRefused, moveIn } = await accountMove();
      try {
        if (options.forget) {
          await recordAct(id, options);
          const { databaseDirectUrl: url, cell } = readConfig();
          return printRecord({ deleted: await forgetAccount({ name: cell ?? '', url }, id, report) }, options);
        }
        const cells = readCells(options);
        await withDirectory(async (directory) => {
          const request: MoveRequest = {
            ...cells,
            accountId: id,
            directory: moveIn(directory),
            wait: options.wait ?? false,
            drainSeconds: readSeconds(options.drainSeconds),
            onProgress: report,
          };
          await recordAct(id, options);
          if (options.abandon) {
            await abandonMove(request);
            return printRecord({ abandoned: id }, options);
          }
          printRecord({ moved: id, to: request.target.name, ...(await moveAccount(request)) }, options);
        });
      } catch (error) {
        throw error instanceof MoveRefused ? new CommandFailure(error.message) : error;
      }
    });
}

/** Before the work: a person's act is in the log although the command may be killed. */
async function recordAct(id: string, { to, abandon, forget }: MoveOptions): Promise<void> {
  const act = forget ? 'account.forgotten' : abandon ? 'account.move_abandoned' : 'account.moved';
  await withEngines(({ db }) =>
    actAtCommandLine(db, async (joined) => ({
      result: null,
      act: { act, subject: await accountSubject(joined, id), ...(to ? { details: { to } } : {}) },
    })),
  );
}

function readCells({ to, targetUrl, sourceUrlForTarget }: MoveOptions) {
  const { databaseDirectUrl, cell } = readConfig();
  if (cell === null) throw new CommandFailure('CELL is not set');
  if (!to || !targetUrl) throw new UsageError('--to and --target-url are required');
  if (to === cell) throw new UsageError('the account is in this cell: --to must name another one');
  return {
    source: { name: cell, url: databaseDirectUrl, urlForTarget: sourceUrlForTarget },
    target: { name: to, url: targetUrl },
  };
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 1) throw new UsageError('--drain-seconds must be a positive number');
  return seconds;
}

/** Every step, and further lines of a step every two seconds; all of them as JSON. */
function createReport({ json }: OutputOptions): (progress: MoveProgress) => void {
  let lastAt = 0;
  let lastStep = '';
  return (progress) => {
    if (json) return console.log(JSON.stringify(progress));
    if (progress.step === lastStep && performance.now() - lastAt < LINE_EVERY_MS) return;
    lastAt = performance.now();
    lastStep = progress.step;
    console.log(`${progress.step.padEnd(9)}  ${progress.detail}`);
  };
}
