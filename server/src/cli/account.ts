import type { Command } from 'commander';
import type { Database } from '../database/database.ts';
import type { AccountInput, AccountSettings } from '../features/accounts/index.ts';
import { UsageError } from './failure.ts';
import { readId, readJsonInput } from './input.ts';
import { noOpenAccount, unknownAccount } from './known-account.ts';
import { addMemberCommands } from './member.ts';
import { type OutputOptions, printRecord, printTable } from './output.ts';
import { withEngines } from './with-engines.ts';

interface InputOptions extends OutputOptions {
  input: string;
}
interface CreditOptions extends OutputOptions {
  amount: string;
  note?: string;
}

const MOST_CENTS = 1_000_000_000_00; // a payment beyond a billion is a slip of the hand

const SETTINGS = `
Settings, all optional but name and email at creation:
  name, email                        text
  clientType, contractVersion        text or null; no clientType: no shipment can be created
  contractSigned, isSpecialRequest   true or false
  agreedPickupTime                   "HH:MM", local
  pickupAddress                      {street, city, postalCode, country, coordinates: {latitude, longitude}}
  minimumPrice, pricePerKg           EUR; pricePerKg may be null
  paymentMode                        "prepaid" or "deferred"
  creditLimit, amountDue             EUR or null
  paymentStatus                      "current", "grace", "payment_required" or "suspended"
  gracePeriodEndsAt                  ISO 8601 or null
  timeSlots                          [{label}], each naming its hours: "Matin (9h-12h)"
  rateLimits                         {minute, hour, day}`;

const accounts = () => import('../features/accounts/index.ts');
const ledger = () => import('../features/ledger/index.ts');

export function addAccountCommands(program: Command): void {
  const account = program
    .command('account')
    .description('merchants: create, change, look at, top up, invite their people')
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
      await withEngines(async ({ db, locator }) => {
        const { createAccount } = await accounts();
        printRecord({ ...(await orUsageError(createAccount(db, settings as AccountInput, locator))) }, output);
      });
    });

  account
    .command('update <account>')
    .description('change the settings that the JSON names and leave the others')
    .requiredOption('--input <file>', 'JSON settings; - reads standard input')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `${SETTINGS}\n\nExample:\n  echo '{"paymentStatus": "suspended"}' | navette account update ACCOUNT --input -`,
    )
    .action(async (accountId: string, { input, ...output }: InputOptions) => {
      const id = readId(accountId);
      const settings = await readJsonInput(input);
      await withEngines(async ({ db, locator }) => {
        const { readAccount, updateAccount } = await accounts();
        if (!(await orUsageError(updateAccount(db, id, settings as AccountInput, locator)))) throw unknownAccount(id);
        printRecord(await describe((await readAccount(db, id)) ?? fail(id)), output);
      });
    });

  account
    .command('show <account>')
    .description('everything about one account, and the proof of its balance from the ledger')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette account show 01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60')
    .action((accountId: string, output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const id = readId(accountId);
        const { readAccount } = await accounts();
        const account = await describe((await readAccount(db, id)) ?? fail(id));
        printRecord({ ...account, balanceProof: await showProof(db, id) }, output);
      }),
    );

  account
    .command('list')
    .description('all accounts, oldest first')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette account list')
    .action((output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { listAccounts } = await accounts();
        const rows = await Promise.all((await listAccounts(db)).map(describe));
        const columns = ['id', 'clientId', 'name', 'paymentMode', 'paymentStatus', 'balance'];
        printTable(rows, columns, output, 'No account yet: `navette account create --help` shows how to make one.');
      }),
    );

  account
    .command('credit <account>')
    .description('add a payment to the ledger')
    .requiredOption('--amount <euros>', 'EUR with at most two decimals; negative corrects a mistake')
    .option('--note <text>', 'why, for whoever reads the ledger')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette account credit ACCOUNT --amount 50.00 --note "transfer 2041"')
    .action(async (accountId: string, { amount, note, ...output }: CreditOptions) => {
      const id = readId(accountId);
      const { addCredit, toCents, toEuros } = await ledger();
      const cents = /^-?\d+(\.\d{1,2})?$/.test(amount) ? toCents(Number(amount)) : null;
      if (!cents || Math.abs(cents) > MOST_CENTS)
        throw new UsageError('--amount must be EUR such as 50.00, and not zero');
      await withEngines(async ({ db }) => {
        const credit = (await addCredit(db, id, cents, note ?? null)) ?? fail(id);
        printRecord(
          { entry: credit.entry, amount: toEuros(credit.amountCents), balance: toEuros(credit.balanceCents) },
          output,
        );
      });
    });

  account
    .command('close <account>')
    .description('end an account: its keys open nothing from now on')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette account close ACCOUNT')
    .action((accountId: string, output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { closeAccount } = await accounts();
        if (!(await closeAccount(db, readId(accountId)))) throw noOpenAccount(accountId);
        printRecord({ closed: accountId }, output);
      }),
    );

  addMemberCommands(account);
}

async function describe(account: AccountSettings): Promise<Record<string, unknown>> {
  const { presentAccount } = await accounts();
  const { _id, ...record } = presentAccount(account);
  return {
    id: _id,
    ...record,
    gracePeriodEndsAt: account.gracePeriodEndsAt,
    createdAt: account.createdAt,
    closedAt: account.closedAt,
  };
}

/** Credits, charges and refunds add up to the balance, which is also what the last line of the ledger carries. */
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

async function orUsageError<T>(work: Promise<T>): Promise<T> {
  const { BadAccountInput } = await accounts();
  return work.catch((error: unknown) => {
    throw error instanceof BadAccountInput ? new UsageError(error.message) : error;
  });
}
