import type { Command } from 'commander';
import { UsageError } from './failure.ts';
import { actAtCommandLine } from './operator-context.ts';
import { type OutputOptions, printTable } from './output.ts';
import { withEngines } from './with-engines.ts';

const ARRIVAL_DAYS = 60;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

export function addFiguresCommands(program: Command): void {
  const figures = program
    .command('figures')
    .description('figures of the console, and the error of arrival estimates')
    .addHelpText('after', '\nExample:\n  navette figures rebuild 2026-03-01');

  figures
    .command('arrivals')
    .description('how good arrival estimates were, a quarter of an hour before the delivery, by day')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nINSIDE is the share of deliveries inside the window that was shown. The job learn-arrivals measures every night.\n\nExample:\n  navette figures arrivals',
    )
    .action((output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { readArrivalDays } = await import('../features/arrival/index.ts');
        const days = await readArrivalDays(db, ARRIVAL_DAYS);
        const rows = days.map(({ day, legs, measured, inside, medianErrorMinutes, medianWidthMinutes }) => ({
          ...{ day, legs, measured, medianErrorMinutes, medianWidthMinutes },
          inside: measured > 0 ? `${Math.round((100 * inside) / measured)} %` : null,
        }));
        const columns = ['day', 'measured', 'inside', 'medianErrorMinutes', 'medianWidthMinutes', 'legs'];
        printTable(rows, columns, output, 'No day was measured yet: the first night does it.');
      }),
    );

  figures
    .command('rebuild')
    .description('count days again from shipments and incidents; safe while the service runs')
    .argument('<from>', 'first local day, as 2026-03-01')
    .argument('[to]', 'last local day, when there are several')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nOne transaction per day. If it is interrupted, run it again.\n\nExample:\n  navette figures rebuild 2026-03-01 2026-03-31',
    )
    .action((from: string, to: string | undefined, output: OutputOptions) =>
      withEngines(async ({ pools, config: { timeZone } }) => {
        const [{ RowsAreGone, rebuildDay }, { createDatabase }, { daysFromTo }] = await Promise.all([
          import('../features/figures/index.ts'),
          import('../database/database.ts'),
          import('../calendar/local-calendar.ts'),
        ]);
        const days = daysFromTo(requireDate(from), requireDate(to ?? from));
        if (days.length === 0) throw new UsageError(`${to} is before ${from}`);
        const db = createDatabase(pools.long);
        const rebuilt = [];
        for (const day of days) {
          rebuilt.push(
            await rebuildDay(db, day, timeZone).catch((error: Error) => {
              throw error instanceof RowsAreGone ? new UsageError(error.message) : error;
            }),
          );
        }
        const corrected = rebuilt.reduce((sum, { corrected: rows }) => sum + rows, 0);
        const act = { act: 'figures.rebuilt', details: { from, to: to ?? from, corrected } } as const;
        await actAtCommandLine(db, async () => ({ result: null, act }));
        printTable(
          rebuilt.map((day) => ({ ...day })),
          ['day', 'rows', 'corrected'],
          output,
          '',
        );
      }),
    );
}

function requireDate(text: string): string {
  if (DATE.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new UsageError(`"${text}" is not a date such as 2026-03-01`);
}
