import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import type { AccountInput, AccountSettings } from '../features/accounts/index.ts';
import { addAccountMoveCommand } from './account-move.ts';
import type { Engines } from './engines.ts';
import { UsageError } from './failure.ts';
import { readAmountInCents, readId, readJsonInput } from './input.ts';
import { noOpenAccount, refuseUnknownAccount, unknownAccount } from './known-account.ts';
import { addMemberCommands } from './member.ts';
import { accountSubject, actAtCommandLine, recordedAtCommandLine } from './operator-context.ts';
import { type OutputOptions, printRecord, printTable } from './output.ts';
import { withEngines, withJobs } from './with-engines.ts';

interface InputOptions extends OutputOptions {
  input: string;
}
interface CreditOptions extends OutputOptions {
  amount: string;
  note?: string;
}

const SETTINGS = `
Settings, all optional except name and email at creation:
  name, email                        text
  clientType, contractVersion        text or null; without clientType the account cannot create shipments
  contractSigned, isSpecialRequest   true or false
  agreedPickupTime                   "HH:MM", local time; required for a special request
  pickupAddress                      {street, city, postalCode, country, coordinates: {latitude, longitude}}
  minimumPrice, pricePerKg           EUR; pricePerKg may be null
  paymentMode                        "prepaid" or "deferred"
  creditLimit, amountDue             EUR or null
  paymentStatus                      "current", "grace", "payment_required" or "suspended"
  gracePeriodEndsAt                  ISO 8601 or null
  timeSlots                          [{label}]; each label contains its hours: "Matin (9h-12h)"
  rateLimits                         {minute, hour, day}
  smsPerDay                          SMS per local day; null uses SMS_PER_ACCOUNT_PER_DAY
  retentionDays                      days until personal data of an ended shipment is erased, from 30 to
                                     SHIPMENT_RETENTION_DAYS; null uses that setting`;

const accounts = () => import('../features/accounts/index.ts');
const ledger = () => import('../features/ledger/index.ts');

export function addAccountCommands(program: Command): void {
  const account = program
    .command('account')
    .description('manage merchant accounts: settings, balance, members')
    .addHelpText(
      'after',
      '\nACCOUNT is an id, as `navette account list` shows it.\n\nExample:\n  navette account create --input account.json',
    );

  account
    .command('create')
    .description('create an account from JSON settings and print its ids')
    .requiredOption('--input <file>', 'JSON settings; - reads standard input')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `${SETTINGS}

Example:
  echo '{"name": "Atelier Zoé", "email": "zoe@example.org", "clientType": "shop", "contractSigned": true,
         "minimumPrice": 8.5, "pickupAddress": {"street": "1 rue de Rivoli", "city": "Paris", "postalCode": "75001"}}' |
    navette account create --input -`,
    )
    .action(async ({ input, ...output }: InputOptions) => {
      const settings = await readJsonInput(input);
      await withEngines(async ({ db, locator, config }) => {
        const { createAccount } = await accounts();
        const input = await checked(settings, config);
        const recorded = await recordedAtCommandLine<{ id: string }>(db, ({ id }) => ({
          act: 'account.created',
          subject: { type: 'account', id, title: String(input.name) },
        }));
        printRecord({ ...(await orUsageError(createAccount(recorded, input, locator))) }, output);
      });
    });

  account
    .command('update <account>')
    .description('change the settings given as JSON and keep the others')
    .requiredOption('--input <file>', 'JSON settings; - reads standard input')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `${SETTINGS}\n\nExample:\n  echo '{"paymentStatus": "suspended"}' | navette account update ACCOUNT --input -`,
    )
    .action(async (accountId: string, { input, ...output }: InputOptions) => {
      const id = readId(accountId);
      const settings = await readJsonInput(input);
      await withEngines(async (engines) => {
        const { db, locator, config } = engines;
        const { readAccount, updateAccount } = await accounts();
        const input = await checked(settings, config);
        const subject = await accountSubject(db, id);
        const details = { settings: Object.keys(input).join(', ') };
        const recorded = await recordedAtCommandLine<boolean>(db, (isFound) =>
          isFound ? { act: 'account.updated', subject, details } : null,
        );
        if (!(await orUsageError(updateAccount(recorded, id, input, locator)))) throw unknownAccount(id);
        const account = (await readAccount(db, id)) ?? fail(id);
        if ('agreedPickupTime' in settings || 'isSpecialRequest' in settings) await scheduleWaiting(engines, account);
        printRecord(await describe(account), output);
      });
    });

  account
    .command('show <account>')
    .description('show one account, its SMS of today, and its balance recomputed from the ledger')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette account show 01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60')
    .action((accountId: string, output: OutputOptions) =>
      withEngines(async ({ db, config }) => {
        const id = readId(accountId);
        const { readAccount } = await accounts();
        const { countSmsToday } = await import('../features/messages/index.ts');
        const account = (await readAccount(db, id)) ?? fail(id);
        const sms = {
          today: await countSmsToday(db, id, config, new Date()),
          perDay: account.smsPerDay ?? config.smsPerAccountPerDay,
        };
        printRecord({ ...(await describe(account)), sms, balanceProof: await showProof(db, id) }, output);
      }),
    );

  account
    .command('list')
    .description('list all accounts, oldest first')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette account list')
    .action((output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { listAccounts } = await accounts();
        const rows = await Promise.all((await listAccounts(db)).map(describe));
        const columns = ['id', 'clientId', 'name', 'paymentMode', 'paymentStatus', 'balance'];
        printTable(rows, columns, output, 'No account yet: `navette account create --help` shows how to create one.');
      }),
    );

  account
    .command('credit <account>')
    .description('add a payment to the ledger')
    .requiredOption('--amount <euros>', 'EUR with at most two decimals; negative corrects a mistake')
    .option('--note <text>', 'reason, shown in the ledger')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette account credit ACCOUNT --amount 50.00 --note "transfer 2041"')
    .action(async (accountId: string, { amount, note, ...output }: CreditOptions) => {
      const id = readId(accountId);
      const { addCredit, toEuros } = await ledger();
      const cents = await readAmountInCents(amount);
      await withEngines(async ({ db }) => {
        const credit = await actAtCommandLine(db, async (joined) => {
          const result = (await addCredit(joined, id, cents, note ?? null)) ?? fail(id);
          const subject = await accountSubject(joined, id);
          const details = { amountCents: cents, entry: result.entry };
          return { result, act: { act: 'account.credited', subject, reason: note ?? null, details } };
        });
        printRecord(
          { entry: credit.entry, amount: toEuros(credit.amountCents), balance: toEuros(credit.balanceCents) },
          output,
        );
      });
    });

  account
    .command('billing <account>')
    .description('show the buyer’s details on invoices, or change those given as JSON and keep the others')
    .option('--input <file>', 'JSON details; - reads standard input')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Details, all optional; null removes one. Issued invoices do not change:
  name, street, postalCode, city     text; without a street the pickup address is used
  country                            two letters, "FR"
  siren, vatId                       nine digits; letters and digits
  language                           "fr" or "en"

Example:
  echo '{"name": "Fleurs SARL", "siren": "552100554"}' | navette account billing ACCOUNT --input -`,
    )
    .action(async (accountId: string, { input, ...output }: OutputOptions & { input?: string }) => {
      const id = readId(accountId);
      const change = input === undefined ? null : await readJsonInput(input);
      await withEngines(async ({ db }) => {
        const { checkBillingDetails, readBillingDetails, saveBillingDetails } = await import(
          '../features/invoices/index.ts'
        );
        await refuseUnknownAccount(db, id);
        if (change) {
          const problems = checkBillingDetails(change);
          if (problems.length > 0) throw new UsageError(problems.join('\n'));
          await actAtCommandLine(db, async (joined) => {
            await saveBillingDetails(joined, id, change, new Date());
            const subject = await accountSubject(joined, id);
            const details = { settings: Object.keys(change).join(', ') };
            return { result: null, act: { act: 'account.billing_changed', subject, details } };
          });
        }
        printRecord(await readBillingDetails(db, id), output);
      });
    });

  account
    .command('close <account>')
    .description('close an account: its API keys are refused from now on')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette account close ACCOUNT')
    .action((accountId: string, output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { closeAccount } = await accounts();
        const id = readId(accountId);
        await actAtCommandLine(db, async (joined) => {
          if (!(await closeAccount(joined, id))) throw noOpenAccount(accountId);
          return { result: null, act: { act: 'account.closed', subject: await accountSubject(joined, id) } };
        });
        printRecord({ closed: accountId }, output);
      }),
    );

  addMemberCommands(account);
  addAccountMoveCommand(account);
}

/** Sets the time of the driver search for shipments created while the account had no agreed pickup time. */
async function scheduleWaiting(engines: Engines, account: AccountSettings): Promise<void> {
  const { scheduleWaitingShipments } = await import('../features/shipments/index.ts');
  const { db, config } = engines;
  const times = { timeZone: config.timeZone, now: new Date() };
  const many = await withJobs(engines, (jobs) => scheduleWaitingShipments(db, jobs, account, times));
  if (many > 0)
    console.error(
      `${many} shipment${many === 1 ? '' : 's'} without a pickup time ${many === 1 ? 'was' : 'were'} scheduled`,
    );
}

async function describe(account: AccountSettings): Promise<Record<string, unknown>> {
  const { presentAccount } = await accounts();
  const { _id, ...record } = presentAccount(account);
  return {
    id: _id,
    ...record,
    gracePeriodEndsAt: account.gracePeriodEndsAt,
    smsPerDay: account.smsPerDay,
    retentionDays: account.retentionDays,
    createdAt: account.createdAt,
    closedAt: account.closedAt,
  };
}

/** The sum of credits, charges and refunds must equal the balance of the last ledger entry. */
async function showProof(db: Database, accountId: string) {
  const { proveBalance, toEuros } = await ledger();
  const { entries, creditsCents, chargesCents, refundsCents, lastBalanceCents } = await proveBalance(db, accountId);
  return {
    entries,
    credits: toEuros(creditsCents),
    charges: toEuros(chargesCents),
    refunds: toEuros(refundsCents),
    sum: toEuros(creditsCents + chargesCents + refundsCents),
    lastEntry: toEuros(lastBalanceCents),
  };
}

function fail(id: string): never {
  throw unknownAccount(id);
}

async function checked(settings: object, { shipmentRetentionDays }: Config): Promise<AccountInput> {
  const { checkRetention } = await accounts();
  await orUsageError((async () => checkRetention(settings, shipmentRetentionDays))());
  return settings;
}

async function orUsageError<T>(work: Promise<T>): Promise<T> {
  const { BadAccountInput } = await accounts();
  return work.catch((error: unknown) => {
    throw error instanceof BadAccountInput ? new UsageError(error.message) : error;
  });
}
