import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import type { Subject } from '../features/personal-data/index.ts';
import type { Engines } from './engines.ts';
import { CommandFailure, UsageError } from './failure.ts';
import { recordedAtCommandLine } from './operator-context.ts';
import { type OutputOptions, printRecord, printTable } from './output.ts';
import { withEngines } from './with-engines.ts';

interface SubjectOptions {
  email?: string;
  phone?: string;
}
interface EraseOptions extends SubjectOptions, OutputOptions {
  reason: string;
}

const personalData = () => import('../features/personal-data/index.ts');

const LOOKUP = `
A person is found by e-mail address, in upper or lower case, or by phone number in international form, with any spacing.
Every table is scanned: on a large database this takes minutes, without slowing down the service.`;

export function addPersonCommands(program: Command): void {
  const person = program
    .command('person')
    .description('export or erase the personal data of a person')
    .addHelpText('after', `${LOOKUP}\n\nExample:\n  navette person export --email camille@example.org`);

  identified(person.command('export'))
    .description('export all data about a person, as JSON (GDPR, art. 15)')
    .option('--output <file>', 'file to create, readable by you only; default: standard output')
    .addHelpText('after', '\nExample:\n  navette person export --phone +33612345678 --output camille.json')
    .action(async ({ output, ...given }: SubjectOptions & { output?: string }) => {
      const subject = await readSubject(given);
      await withLongReads(async (db) => {
        const { exportPerson } = await personalData();
        const json = JSON.stringify(await exportPerson(db, subject, new Date(), printProgress), null, 2);
        if (output === undefined) return console.log(json);
        await writeFile(output, `${json}\n`, { mode: 0o600, flag: 'wx' }).catch((error: Error) => {
          throw new CommandFailure(`cannot write ${output}: ${error.message}`);
        });
      });
    });

  identified(person.command('erase'))
    .description('erase the data of a person: ended shipments now, others when they end; print and store a receipt')
    .requiredOption('--reason <text>', 'such as the number of the request; it is stored, so include no name')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette person erase --email camille@example.org --reason "request 2031-07"')
    .action(async ({ reason, json, ...given }: EraseOptions) => {
      const subject = await readSubject(given);
      if (reason.trim() === '') throw new UsageError('--reason must not be empty');
      await withLongReads(async (db, { config }) => {
        const { erasePerson } = await personalData();
        const { openLabelStore } = await import('../adapters/files/open-file-store.ts');
        const asked = { reason: reason.trim(), systemUser: userInfo().username, now: new Date() };
        const act = { act: 'person.erased', reason: asked.reason } as const;
        const recorded = await recordedAtCommandLine(db, () => act);
        const receipt = await erasePerson(
          { db: recorded, store: openLabelStore(config) },
          subject,
          asked,
          printProgress,
        );
        const { endsOtherwise, ...record } = receipt;
        if (json) return printRecord({ ...receipt }, { json });
        printRecord({ ...record, reason: asked.reason, systemUser: asked.systemUser }, {});
        for (const { table, id, how } of endsOtherwise) console.log(`\nremains in ${table} (${id}): ${how}`);
      });
    });

  identified(person.command('receipts'))
    .description('list receipts of erasures, latest first, of all persons or of one')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette person receipts --email camille@example.org')
    .action(async ({ json, ...given }: SubjectOptions & OutputOptions) => {
      const subject = given.email === undefined && given.phone === undefined ? null : await readSubject(given);
      await withEngines(async ({ db }) => {
        const { listReceipts } = await personalData();
        const columns = ['id', 'at', 'by', 'reason', 'systemUser', 'counts', 'waiting'];
        printTable(await listReceipts(db, subject), columns, json ? { json } : {}, 'No receipt.');
      });
    });
}

const identified = (command: Command) =>
  command
    .option('--email <address>', 'the person’s e-mail address')
    .option('--phone <number>', 'the person’s phone number, such as +33612345678');

async function readSubject(given: SubjectOptions): Promise<Subject> {
  if ((given.email === undefined) === (given.phone === undefined)) throw new UsageError('give --email or --phone');
  const { readSubject } = await personalData();
  const subject = readSubject(given);
  if (!subject) throw new UsageError('give an e-mail address, or a phone number such as +33612345678');
  return subject;
}

/** Uses the connections without a time limit. */
function withLongReads(work: (db: Engines['db'], engines: Engines) => Promise<void>): Promise<void> {
  return withEngines(async (engines) => {
    const { createDatabase } = await import('../database/database.ts');
    await work(createDatabase(engines.pools.long), engines);
  });
}

function printProgress(table: string, share: number): void {
  console.error(`${table}: ${Math.round(share * 100)} %`);
}
