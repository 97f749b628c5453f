import type { Command } from 'commander';
import { CommandFailure, UsageError } from './failure.ts';
import { readAmountInCents, readId } from './input.ts';
import { actAtCommandLine } from './operator-context.ts';
import { type OutputOptions, printRecord, printTable } from './output.ts';
import { withEngines } from './with-engines.ts';

interface RecordOptions extends OutputOptions {
  payer: string;
  amount: string;
  bankId: string;
  receivedOn?: string;
}

const payments = () => import('../features/payments/index.ts');

export function addPaymentCommands(program: Command): void {
  const payment = program
    .command('payment')
    .description('record bank transfers of merchants, list payments, and decide about those in review')
    .addHelpText('after', '\nExample:\n  navette payment list --status review');

  payment
    .command('record')
    .description('record a bank transfer and credit it; the same transfer is refused a second time')
    .requiredOption('--payer <payer>', 'reference on the transfer, such as NV7K3QXM, or the id of the account')
    .requiredOption('--amount <euros>', 'EUR with at most two decimals')
    .requiredOption('--bank-id <id>', 'the bank’s own id of the transfer; spaces and case do not matter')
    .option('--received-on <day>', 'day of the bank statement; today when absent')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  navette payment record --payer NV7K3QXM --amount 250.00 --bank-id 2026111700042',
    )
    .action(async ({ payer, amount, bankId, receivedOn, ...output }: RecordOptions) => {
      const amountCents = await readAmountInCents(amount);
      if (amountCents < 0) throw new UsageError('--amount must be more than zero; `account credit` corrects a mistake');
      if (!/^\S.{0,63}$/.test(bankId.trim())) throw new UsageError('--bank-id must have 1 to 64 characters');
      await withEngines(async ({ db, config }) => {
        const { findAnyPayer, isInFuture, recordTransfer } = await payments();
        const { localDay } = await import('../calendar/local-calendar.ts');
        const now = new Date();
        const day = receivedOn ?? localDay(now, config.timeZone);
        if (!isDay(day) || isInFuture(day, config.timeZone, now))
          throw new UsageError('--received-on must be a day such as 2026-11-17, and not in the future');
        const done = await actAtCommandLine(db, async (joined) => {
          const account = (await findAnyPayer(joined, payer, true)) ?? unknownPayer(payer);
          const transfer = { accountId: account.id, amountCents, bankId, receivedOn: day };
          const result = await recordTransfer(joined, transfer, { recordedBy: null, mustWait: false, now });
          if (result.outcome === 'known') throw knownTransfer(bankId, result);
          const subject = { type: 'account', id: account.id, title: account.name };
          const details = { payment: result.paymentId, amountCents, bankId, receivedOn: day };
          return { result: { ...result, account: account.name }, act: { act: 'payment.recorded', subject, details } };
        });
        printRecord(
          { payment: done.paymentId, account: done.account, amount: amountCents / 100, receivedOn: day },
          output,
        );
      });
    });

  payment
    .command('list')
    .description('list payments of merchants, newest first: the latest fifty')
    .option('--account <account>', 'of this account only')
    .option('--status <status>', 'open, processing, succeeded, failed, expired, review, waiting or rejected')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette payment list --status review')
    .action(({ account, status, ...output }: OutputOptions & { account?: string; status?: string }) =>
      withEngines(async ({ db }) => {
        const { listAnyPayments } = await payments();
        const { payments: rows } = await listAnyPayments(db, { account: account && readId(account), status }, null);
        const columns = ['createdAt', 'account', 'method', 'status', 'amount', 'refunded', 'bankId', 'providerId'];
        const printed = rows.map(({ merchant, ...row }) => ({ ...row, account: merchant.name }));
        printTable(printed, columns, output, 'No payment.');
      }),
    );

  payment
    .command('settle <payment>')
    .description('credit what Stripe received for a payment in review, where it is not the amount asked for')
    .requiredOption('--reason <text>', 'kept in the log of acts; it must name nobody')
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  navette payment settle ${EXAMPLE_ID} --reason "part of the amount was paid"`)
    .action((id: string, options: ReviewOptions) => decide(id, 'settled', options));

  payment
    .command('reject <payment>')
    .description('end the review of a payment without crediting it; return the money in Stripe')
    .requiredOption('--reason <text>', 'kept in the log of acts; it must name nobody')
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  navette payment reject ${EXAMPLE_ID} --reason "refunded in Stripe"`)
    .action((id: string, options: ReviewOptions) => decide(id, 'rejected', options));
}

interface ReviewOptions extends OutputOptions {
  reason: string;
}

const EXAMPLE_ID = '019a1f6e-5d0c-7c11-9e6b-2f7a1d3c4b5a';

/** Ends the review of a payment, also of one that waits for a second person: the command line needs none. */
async function decide(text: string, decision: 'settled' | 'rejected', { reason, ...output }: ReviewOptions) {
  const id = readId(text);
  if (!/\S/.test(reason) || reason.length > 500) throw new UsageError('--reason must have 1 to 500 characters');
  await withEngines(async ({ db }) => {
    const { accountOf, creditableCents, creditReviewed, describeReview, lockAnyReviewed, rejectReviewed } =
      await payments();
    const now = new Date();
    const done = await actAtCommandLine(db, async (joined) => {
      const payment = await lockAnyReviewed(joined, id);
      if (!payment) throw new CommandFailure(`no payment has the id ${id}`);
      if (payment.receivedCents === null || !['review', 'waiting'].includes(payment.status))
        throw new CommandFailure(`the payment is not in review: ${payment.status}`);
      const cents = creditableCents(payment);
      if (decision === 'rejected') await rejectReviewed(joined, payment, null, now);
      else if (cents === null)
        throw new CommandFailure('only euros can be credited: reject it, and refund it in Stripe');
      else await creditReviewed(joined, payment, cents, { recorded_by: null }, now);
      const act = `payment.review_${decision}` as const;
      return { result: payment, act: { act, subject: accountOf(payment), reason, details: describeReview(payment) } };
    });
    const { account, amountCents, receivedCents } = done;
    printRecord(
      { payment: id, account, asked: amountCents / 100, received: (receivedCents ?? 0) / 100, decision },
      output,
    );
  });
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

function unknownPayer(payer: string): never {
  throw new CommandFailure(`no account has the reference or id ${payer}`);
}

const knownTransfer = (bankId: string, known: { recordedAt: Date; account: string; amountCents: number }) =>
  new CommandFailure(
    `transfer ${bankId} was recorded on ${known.recordedAt.toISOString()} for ${known.account}: ${known.amountCents / 100} EUR`,
  );
