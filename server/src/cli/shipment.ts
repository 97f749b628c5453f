import type { Command } from 'commander';
import type { HandsOutcome, OperatorHands } from '../features/dispatch/index.ts';
import { orFailure } from './driver.ts';
import type { Engines } from './engines.ts';
import { CommandFailure, UsageError } from './failure.ts';
import { type OutputOptions, printRecord, printTable } from './output.ts';
import { withEngines } from './with-engines.ts';

interface ListOptions extends OutputOptions {
  unassigned?: boolean;
  needsLocation?: boolean;
}
interface LocateOptions extends OutputOptions {
  pickup?: string;
  delivery?: string;
}

const dispatch = () => import('../features/dispatch/index.ts');

export function addShipmentCommands(program: Command): void {
  const shipment = program
    .command('shipment')
    .description('shipments of any merchant: find those that need a hand, and lend one')
    .addHelpText(
      'after',
      '\nREF is a reference number, DRIVER an id or an e-mail.\n\nExamples:\n  navette shipment list --unassigned\n  navette shipment explain K7M2P9XW4B',
    );

  shipment
    .command('list')
    .description('shipments that wait for the operator, oldest first: --unassigned or --needs-location')
    .option('--unassigned', 'every driver near was asked, and none took it')
    .option('--needs-location', 'an address could not be found on the map')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette shipment list --unassigned')
    .action(({ unassigned, needsLocation, ...output }: ListOptions) => {
      if (Boolean(unassigned) === Boolean(needsLocation))
        throw new UsageError('say which: --unassigned or --needs-location');
      return withEngines(async ({ db }) => {
        const { listAnyUnassigned, listAnyWithoutLocation } = await dispatch();
        if (unassigned) {
          const columns = ['reference', 'account', 'from', 'waitingSince', 'rounds', 'asked'];
          printTable(await listAnyUnassigned(db), columns, output, 'Every shipment has a driver, or is finding one.');
        } else {
          const columns = ['reference', 'account', 'status', 'missing', 'address', 'createdAt'];
          printTable(await listAnyWithoutLocation(db), columns, output, 'Every address is on the map.');
        }
      });
    });

  shipment
    .command('explain <ref>')
    .description('how a shipment got its driver, or why it has none: every decision with its time and reason')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette shipment explain K7M2P9XW4B')
    .action((reference: string, output: OutputOptions) =>
      withEngines(async ({ db, config }) => {
        const { explainAnyShipment } = await dispatch();
        const story = (await explainAnyShipment(db, reference)) ?? fail(reference);
        if (output.json) {
          console.log(JSON.stringify(story));
          return;
        }
        console.log(`${story.referenceNumber} is ${story.status.replace('_', ' ')}.\n`);
        for (const { at, text } of story.lines) console.log(`${localTime(at, config.timeZone)}  ${text}`);
        if (story.lines.length === 0) console.log('No driver was searched yet.');
      }),
    );

  shipment
    .command('assign <ref> <driver>')
    .description('give a shipment to a driver, from another one too')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nMerchants hear of it each time.\n\nExample:\n  navette shipment assign REF ana@example.org',
    )
    .action((reference: string, name: string, output: OutputOptions) =>
      withHands(async (hands) => {
        const { assignAnyShipment } = await dispatch();
        const driver = await orFailure(hands.db, name);
        if (driver.disabledAt) throw new CommandFailure(`${name} is disabled`);
        const done = orRefusal(await assignAnyShipment(hands, reference, driver.id), reference, 'be assigned');
        printRecord({ reference, status: done.to, driver: driver.id, previousDriver: done.previousDriver }, output);
      }),
    );

  shipment
    .command('unassign <ref>')
    .description('take a shipment from its driver; another one is searched')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nPossible until the parcel is picked up.\n\nExample:\n  navette shipment unassign REF')
    .action((reference: string, output: OutputOptions) =>
      withHands(async (hands) => {
        const { unassignAnyShipment } = await dispatch();
        const done = orRefusal(await unassignAnyShipment(hands, reference), reference, 'be unassigned');
        printRecord({ reference, status: done.to, previousDriver: done.previousDriver }, output);
      }),
    );

  shipment
    .command('confirm-delivery <ref>')
    .description('confirm a delivery without the recipient’s code; the reason is kept')
    .requiredOption('--reason <text>', 'how the operator knows that it was delivered')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette shipment confirm-delivery REF --reason "recipient confirmed by phone"')
    .action((reference: string, { reason, ...output }: OutputOptions & { reason: string }) => {
      if (reason.trim() === '') throw new UsageError('--reason must say something');
      return withHands(async (hands) => {
        const { confirmAnyDelivery } = await dispatch();
        const outcome = await confirmAnyDelivery(hands, reference, reason.trim());
        printRecord({ reference, status: orRefusal(outcome, reference, 'be confirmed').to }, output);
      });
    });

  shipment
    .command('locate <ref>')
    .description('say where an address is that could not be found')
    .option('--pickup <lat,lon>', 'where the parcel is fetched')
    .option('--delivery <lat,lon>', 'where it goes')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette shipment locate REF --delivery 48.8606,2.3376')
    .action((reference: string, { pickup, delivery, ...output }: LocateOptions) => {
      const places = { pickup: readPlace(pickup), delivery: readPlace(delivery) };
      if (!places.pickup && !places.delivery) throw new UsageError('give --pickup, --delivery or both');
      return withHands(async (hands) => {
        const { locateAnyShipment } = await dispatch();
        if (!(await locateAnyShipment(hands, reference, places))) fail(reference);
        printRecord({ reference, located: Object.keys(places).filter((key) => places[key as 'pickup']) }, output);
      });
    });

  shipment
    .command('rebuild-search')
    .description('make again what the dashboard finds shipments by, where it was lost; safe while the service runs')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nOnly adds what is missing. Stopped half way, it is simply run again.\n\nExample:\n  navette shipment rebuild-search',
    )
    .action((output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { rebuildAllSearchKeys } = await import('../features/shipment-desk/index.ts');
        const done = await rebuildAllSearchKeys(db, ({ shipments, added }) =>
          console.error(`${shipments} shipments looked at, ${added} keys added`),
        );
        printRecord(done, output);
      }),
    );
}

async function withHands(work: (hands: OperatorHands) => Promise<void>): Promise<void> {
  await withEngines(async ({ db, config, log }: Engines) => {
    const { createJobSender } = await import('../jobs/boss.ts');
    const jobs = await createJobSender(config.databaseUrl, log);
    try {
      await work({ db, jobs, config, now: new Date() });
    } finally {
      await jobs.stop();
    }
  });
}

function orRefusal(outcome: HandsOutcome, reference: string, what: string) {
  if (outcome.outcome === 'done') return outcome;
  if (outcome.outcome === 'unknown') return fail(reference);
  throw new CommandFailure(
    `${reference} cannot ${what}: ${outcome.why ?? `it is ${outcome.status.replace('_', ' ')}`}`,
  );
}

function fail(reference: string): never {
  throw new CommandFailure(`no shipment ${reference}`);
}

function readPlace(text: string | undefined): { latitude: number; longitude: number } | null {
  if (text === undefined) return null;
  const [latitude = Number.NaN, longitude = Number.NaN] =
    /^(-?[\d.]+),\s*(-?[\d.]+)$/.exec(text)?.slice(1).map(Number) ?? [];
  if (!(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180))
    throw new UsageError(`"${text}" is not a place such as 48.8606,2.3376`);
  return { latitude, longitude };
}

function localTime(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(at);
}
