import type { MapPoint } from '@navette/contract';
import type { Command } from 'commander';
import { CommandFailure, UsageError } from './failure.ts';
import { orFailure } from './known-driver.ts';
import { actAtCommandLine, actOnShipment, withOperatorContext } from './operator-context.ts';
import { type OutputOptions, printRecord, printTable } from './output.ts';
import { withEngines } from './with-engines.ts';

interface ListOptions extends OutputOptions {
  unassigned?: boolean;
  needsLocation?: boolean;
  needsPickupTime?: boolean;
}
interface LocateOptions extends OutputOptions {
  pickup?: string;
  delivery?: string;
}

const dispatch = () => import('../features/dispatch/index.ts');

export function addShipmentCommands(program: Command): void {
  const shipment = program
    .command('shipment')
    .description('list shipments of any account that need the operator, and resolve them')
    .addHelpText(
      'after',
      '\nREF is a reference number, DRIVER an id or an e-mail.\n\nExamples:\n  navette shipment list --unassigned\n  navette shipment explain K7M2P9XW4B',
    );

  shipment
    .command('list')
    .description(
      'list shipments that need the operator, oldest first: --unassigned, --needs-location or --needs-pickup-time',
    )
    .option('--unassigned', 'all nearby drivers got an offer and none accepted')
    .option('--needs-location', 'an address could not be geocoded')
    .option('--needs-pickup-time', 'programmed, but the account has no agreed pickup time')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nA shipment of --needs-pickup-time waits until `navette account update` gives its account an agreedPickupTime, or\n`navette shipment assign` gives it a driver.\n\nExample:\n  navette shipment list --unassigned',
    )
    .action(({ unassigned, needsLocation, needsPickupTime, ...output }: ListOptions) => {
      if ([unassigned, needsLocation, needsPickupTime].filter(Boolean).length !== 1)
        throw new UsageError('give one of --unassigned, --needs-location or --needs-pickup-time');
      return withEngines(async ({ db }) => {
        const { listAnyUnassigned, listAnyWithoutLocation, listAnyWithoutPickupTime } = await dispatch();
        if (unassigned) {
          const columns = ['reference', 'account', 'from', 'waitingSince', 'rounds', 'asked'];
          printTable(
            await listAnyUnassigned(db),
            columns,
            output,
            'No shipment: each has a driver or a running search.',
          );
        } else if (needsPickupTime) {
          const columns = ['reference', 'account', 'accountId', 'createdAt'];
          printTable(
            await listAnyWithoutPickupTime(db),
            columns,
            output,
            'No shipment: each programmed shipment has a time for its driver search.',
          );
        } else {
          const columns = ['reference', 'account', 'status', 'missing', 'address', 'createdAt'];
          printTable(await listAnyWithoutLocation(db), columns, output, 'No shipment: every address is geocoded.');
        }
      });
    });

  shipment
    .command('explain <ref>')
    .description('explain why a shipment has its driver, or none: every decision with its time and reason')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette shipment explain K7M2P9XW4B')
    .action((reference: string, output: OutputOptions) =>
      withEngines(async ({ db, config }) => {
        const { explainAnyShipment } = await dispatch();
        const explanation = (await explainAnyShipment(db, reference)) ?? fail(reference);
        if (output.json) {
          console.log(JSON.stringify(explanation));
          return;
        }
        console.log(`${explanation.referenceNumber} is ${explanation.status.replace('_', ' ')}.\n`);
        for (const { at, text } of explanation.lines) console.log(`${localTime(at, config.timeZone)}  ${text}`);
        if (explanation.lines.length === 0) console.log('No search for a driver has started yet.');
      }),
    );

  shipment
    .command('assign <ref> <driver>')
    .description('assign a shipment to a driver, also when another driver has it')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nEach assignment sends a webhook event.\n\nExample:\n  navette shipment assign REF ana@example.org',
    )
    .action((reference: string, name: string, output: OutputOptions) =>
      withOperatorContext(async (context) => {
        const { assignAnyShipment } = await dispatch();
        const driver = await orFailure(context.db, name);
        if (driver.disabledAt) throw new CommandFailure(`${name} is disabled`);
        const act = { act: 'shipment.assigned', details: { driver: driver.id } } as const;
        const done = await actOnShipment(context, { reference, what: 'be assigned', ...act }, (recorded) =>
          assignAnyShipment(recorded, reference, driver.id),
        );
        printRecord({ reference, status: done.to, driver: driver.id, previousDriver: done.previousDriver }, output);
      }),
    );

  shipment
    .command('unassign <ref>')
    .description('unassign a shipment from its driver and search another one')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nPossible until pickup.\n\nExample:\n  navette shipment unassign REF')
    .action((reference: string, output: OutputOptions) =>
      withOperatorContext(async (context) => {
        const { unassignAnyShipment } = await dispatch();
        const act = { reference, what: 'be unassigned', act: 'shipment.unassigned' } as const;
        const done = await actOnShipment(context, act, (recorded) => unassignAnyShipment(recorded, reference));
        printRecord({ reference, status: done.to, previousDriver: done.previousDriver }, output);
      }),
    );

  shipment
    .command('confirm-delivery <ref>')
    .description('confirm a delivery without the recipient’s code; the reason is stored')
    .requiredOption('--reason <text>', 'evidence of the delivery')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette shipment confirm-delivery REF --reason "recipient confirmed by phone"')
    .action((reference: string, { reason, ...output }: OutputOptions & { reason: string }) => {
      if (reason.trim() === '') throw new UsageError('--reason must not be empty');
      return withOperatorContext(async (context) => {
        const { confirmAnyDelivery } = await dispatch();
        const act = { act: 'shipment.delivery_confirmed', reason: reason.trim() } as const;
        const done = await actOnShipment(context, { reference, what: 'be confirmed', ...act }, (recorded) =>
          confirmAnyDelivery(recorded, reference, reason.trim()),
        );
        printRecord({ reference, status: done.to }, output);
      });
    });

  shipment
    .command('locate <ref>')
    .description('set the coordinates of an address that could not be geocoded')
    .option('--pickup <lat,lon>', 'coordinates of the pickup address')
    .option('--delivery <lat,lon>', 'coordinates of the delivery address')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette shipment locate REF --delivery 48.8606,2.3376')
    .action((reference: string, { pickup, delivery, ...output }: LocateOptions) => {
      const places = { pickup: readPlace(pickup), delivery: readPlace(delivery) };
      if (!places.pickup && !places.delivery) throw new UsageError('give --pickup, --delivery or both');
      return withOperatorContext(async (context) => {
        const { locateAnyShipment } = await dispatch();
        const located = (['pickup', 'delivery'] as const).filter((address) => places[address]);
        const act = { act: 'shipment.located', details: { addresses: located.join(', ') } } as const;
        await actOnShipment(context, { reference, what: 'be located', ...act }, (recorded) =>
          locateAnyShipment(recorded, reference, places),
        );
        printRecord({ reference, located }, output);
      });
    });

  shipment
    .command('rebuild-search')
    .description('rebuild missing search keys of the dashboard; safe while the service runs')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nAdds missing keys only. If it is interrupted, run it again.\n\nExample:\n  navette shipment rebuild-search',
    )
    .action((output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { rebuildAllSearchKeys } = await import('../features/shipment-desk/index.ts');
        const done = await rebuildAllSearchKeys(db, ({ shipments, added }) =>
          console.error(`${shipments} shipments checked, ${added} keys added`),
        );
        const details = { shipments: done.shipments, added: done.added };
        const act = { act: 'search_keys.rebuilt', details } as const;
        await actAtCommandLine(db, async () => ({ result: null, act }));
        printRecord(done, output);
      }),
    );
}

function fail(reference: string): never {
  throw new CommandFailure(`no shipment ${reference}`);
}

function readPlace(text: string | undefined): MapPoint | null {
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
