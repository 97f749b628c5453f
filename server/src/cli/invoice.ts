import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Issuer } from '../features/invoices/index.ts';
import { CommandFailure, UsageError } from './failure.ts';
import { readId, readMonth } from './input.ts';
import { accountSubject, actAtCommandLine, recordedAtCommandLine } from './operator-context.ts';
import { type OutputOptions, printRecord, printTable } from './output.ts';
import { withEngines } from './with-engines.ts';

interface FilterOptions extends OutputOptions {
  account?: string;
  month?: string;
}

const invoices = () => import('../features/invoices/index.ts');

export function addInvoiceCommands(program: Command): void {
  const invoice = program
    .command('invoice')
    .description('issue and read invoices of merchants, and reverse wrong ones')
    .addHelpText(
      'after',
      '\nNUMBER is as `navette invoice list` shows it.\n\nExample:\n  navette invoice list --month 2026-10',
    );

  invoice
    .command('issue')
    .description('issue the invoices and credit notes of ended months; the worker does so every night')
    .option('--month <month>', 'up to this month; without it, up to the last one that has ended')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette invoice issue --month 2026-10')
    .action(async ({ month, ...output }: FilterOptions) => {
      await withEngines(async ({ db, config }) => {
        const { issueAnyInvoices, lastEndedMonth } = await invoices();
        const issuer = await issuerOrFailure(config);
        const now = new Date();
        const until = (await readMonth(month)) ?? lastEndedMonth(now, config.timeZone);
        if (until > lastEndedMonth(now, config.timeZone)) throw new UsageError(`${until} has not ended`);
        const issued: string[] = [];
        const failed: string[] = [];
        let after: string | undefined;
        do {
          const page = await issueAnyInvoices(db, issuer, { until, now, after });
          issued.push(...page.numbers);
          failed.push(...page.failures.map(({ accountId, error }) => `${accountId}: ${String(error)}`));
          after = page.next ?? undefined;
        } while (after);
        printRecord({ until, issued: issued.length, numbers: issued }, output);
        if (failed.length > 0) throw new CommandFailure(`accounts that failed:\n${failed.join('\n')}`);
      });
    });

  invoice
    .command('list')
    .description('list invoices and credit notes, newest first: the latest thousand')
    .option('--account <account>', 'of this account only')
    .option('--month <month>', 'of this month only')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette invoice list --month 2026-10')
    .action(async ({ account, month, ...output }: FilterOptions) => {
      const filter = { accountId: account && readId(account), month: await readMonth(month) };
      await withEngines(async ({ db }) => {
        const { listAnyInvoices, summarize } = await invoices();
        const rows = (await listAnyInvoices(db, filter)).map((document) => ({
          ...summarize(document),
          month: document.month,
          buyer: document.buyer.name,
          account: document.accountId,
        }));
        const columns = ['number', 'month', 'issuedOn', 'buyer', 'net', 'vat', 'gross', 'due', 'corrects'];
        printTable(rows, columns, output, 'No invoice.');
      });
    });

  invoice
    .command('show <number>')
    .description('show one invoice or credit note with its lines')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette invoice show F2026-000123')
    .action((number: string, output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { readAnyInvoice } = await invoices();
        printRecord({ ...((await readAnyInvoice(db, number)) ?? unknownInvoice(number)) }, output);
      }),
    );

  invoice
    .command('pdf <number>')
    .description('write an invoice or credit note as PDF, with its data as Factur-X')
    .requiredOption('--output <file>', 'the file; an existing one is replaced')
    .addHelpText('after', '\nExample:\n  navette invoice pdf F2026-000123 --output F2026-000123.pdf')
    .action((number: string, { output }: { output: string }) =>
      withEngines(async ({ db }) => {
        const { drawInvoice, readAnyInvoice } = await invoices();
        const pdf = await drawInvoice((await readAnyInvoice(db, number)) ?? unknownInvoice(number));
        await writeFile(output, pdf);
      }),
    );

  invoice
    .command('credit <number>')
    .description('reverse an invoice with wrong details: a credit note, and a new invoice with the present details')
    .requiredOption('--reason <text>', 'printed on the credit note; it is kept for ten years, so include no name')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Amounts stay those of the ledger. To give money back, cancel the shipment or use \`navette account credit\`.

Example:
  navette invoice credit F2026-000123 --reason "adresse de facturation erronée"`,
    )
    .action(async (number: string, { reason, ...output }: OutputOptions & { reason: string }) => {
      const note = reason.trim();
      if (note === '' || note.length > 500) throw new UsageError('--reason must have 1 to 500 characters');
      await withEngines(async ({ db, config }) => {
        const { readAnyInvoice, reverseAnyInvoice } = await invoices();
        const issuer = await issuerOrFailure(config);
        const { accountId } = (await readAnyInvoice(db, number)) ?? unknownInvoice(number);
        const subject = await accountSubject(db, accountId);
        type Outcome = Awaited<ReturnType<typeof reverseAnyInvoice>>;
        const recorded = await recordedAtCommandLine<Outcome>(db, (done) =>
          done.outcome === 'reversed'
            ? { act: 'invoice.reversed', subject, reason: note, details: { number, creditNote: done.creditNote } }
            : null,
        );
        const done = await reverseAnyInvoice(recorded, issuer, number, note, new Date());
        if (done.outcome === 'credit-note') throw new CommandFailure(`${number} is a credit note`);
        if (done.outcome === 'corrected') throw new CommandFailure(`${number} has a credit note already: ${done.by}`);
        if (done.outcome === 'unknown') throw unknownInvoice(number);
        printRecord({ creditNote: done.creditNote, replacement: done.replacement }, output);
      });
    });

  addHandOver(invoice);
}

function addHandOver(invoice: Command): void {
  invoice
    .command('hand-over <number>')
    .description(
      'hand a document to the certified platform: one that it refused, or one from before EINVOICE_URL was set',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nThe worker sends it within a minute.\n\nExample:\n  navette invoice hand-over F2026-000123',
    )
    .action((number: string, output: OutputOptions) =>
      withEngines(async ({ db, config }) => {
        if (config.einvoice.url === null) throw new CommandFailure('set EINVOICE_URL and EINVOICE_TOKEN first');
        const { readAnyInvoice } = await invoices();
        const { sendAgain } = await import('../features/invoice-platform/index.ts');
        const { accountId } = (await readAnyInvoice(db, number)) ?? unknownInvoice(number);
        const subject = await accountSubject(db, accountId);
        await actAtCommandLine(db, async (joined) => {
          if (!(await sendAgain(joined, { accountId, number }, new Date())))
            throw new CommandFailure(`${number} waits or was handed over already`);
          return { result: null, act: { act: 'invoice.handed_over', subject, details: { number } } };
        });
        printRecord({ number, state: 'waiting' }, output);
      }),
    );
}

function unknownInvoice(number: string): never {
  throw new CommandFailure(`no invoice ${number}; \`navette invoice list\` shows them`);
}

/** Or a failure that names the settings that are missing. */
async function issuerOrFailure(config: Config): Promise<Issuer> {
  const { isIssuer, readIssuer } = await invoices();
  const issuer = readIssuer(config);
  if (isIssuer(issuer)) return issuer;
  throw new CommandFailure(`no invoices can be issued, set ${issuer.missing.join(', ')}`);
}
