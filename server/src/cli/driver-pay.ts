import type { Command } from 'commander';
import { UsageError } from './failure.ts';
import { readAmountInCents, readMonth } from './input.ts';
import { orFailure } from './known-driver.ts';
import { actAtCommandLine, driverSubject } from './operator-context.ts';
import { type OutputOptions, printRecord, printTable } from './output.ts';
import { withEngines } from './with-engines.ts';

interface CorrectOptions extends OutputOptions {
  amount: string;
  reason: string;
}

const driverPay = () => import('../features/driver-pay/index.ts');
const ledger = () => import('../features/ledger/index.ts');

export function addDriverPayCommands(driver: Command): void {
  driver
    .command('ledger <driver>')
    .description('list the entries of a driver’s ledger: the latest thousand, or those of a month')
    .option('--month <month>', 'a month such as 2030-05, oldest entry first')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette driver ledger ana@example.org --month 2030-05')
    .action(async (name: string, options: OutputOptions & { month?: string }) => {
      const { listDriverEntries, readStatement } = await driverPay();
      const month = await readMonth(options.month);
      const { toEuros } = await ledger();
      await withEngines(async ({ db, config }) => {
        const { id } = await orFailure(db, name);
        const entries =
          month === undefined
            ? await listDriverEntries(db, id)
            : (await readStatement(db, id, month, config.timeZone)).entries;
        const rows = entries.map(({ amountCents, balanceAfterCents, ...entry }) => ({
          ...entry,
          amount: toEuros(amountCents),
          balance: toEuros(balanceAfterCents),
        }));
        const columns = ['entry', 'at', 'kind', 'amount', 'balance', 'referenceNumber', 'reason'];
        printTable(rows, columns, options, 'No entry.');
      });
    });

  driver
    .command('correct <driver>')
    .description('add a correction to a driver’s ledger: entries never change')
    .requiredOption('--amount <euros>', 'EUR with at most two decimals; negative takes back')
    .requiredOption('--reason <text>', 'shown in the driver’s statement; it is kept for ten years, so include no name')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette driver correct ana@example.org --amount 4.50 --reason "waiting time"')
    .action(async (name: string, { amount, reason, ...output }: CorrectOptions) => {
      const cents = await readAmountInCents(amount);
      if (reason.trim() === '' || reason.length > 500) throw new UsageError('--reason must have 1 to 500 characters');
      const { correctDriverBalance } = await driverPay();
      const { toEuros } = await ledger();
      await withEngines(async ({ db }) => {
        const { id } = await orFailure(db, name);
        const { entry, amountCents, balanceCents } = await actAtCommandLine(db, async (joined) => {
          const result = await correctDriverBalance(joined, id, cents, reason.trim());
          const details = { amountCents: cents, entry: result.entry };
          const subject = driverSubject(id);
          return { result, act: { act: 'driver.balance_corrected', subject, reason: reason.trim(), details } };
        });
        printRecord({ entry, amount: toEuros(amountCents), balance: toEuros(balanceCents) }, output);
      });
    });
}
