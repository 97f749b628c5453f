import { OPERATOR_RESOLUTIONS, type OperatorResolution } from '@navette/contract';
import type { Command } from 'commander';
import { CommandFailure, UsageError } from './failure.ts';
import { actOnShipment, withOperatorContext } from './operator-context.ts';
import { type OutputOptions, printRecord, printTable } from './output.ts';
import { withEngines } from './with-engines.ts';

const incidents = () => import('../features/incidents/index.ts');
const dispatch = () => import('../features/dispatch/index.ts');
const COLUMNS = ['reference', 'account', 'kind', 'status', 'driver', 'happenedAt', 'note'];

interface ResolveOptions extends OutputOptions {
  as: string;
  reason: string;
  name?: string;
}

export function addIncidentCommands(program: Command): void {
  const incident = program
    .command('incident')
    .description('list parcels that could not be handed over, and decide what happens to them')
    .addHelpText('after', '\nREF is a reference number.\n\nExample:\n  navette incident list');

  incident
    .command('list')
    .description('list open incidents of all accounts, oldest first')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette incident list')
    .action((output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { listAnyOpenIncidents } = await incidents();
        printTable(await listAnyOpenIncidents(db), COLUMNS, output, 'No open incident.');
      }),
    );

  incident
    .command('show <ref>')
    .description('show every incident of a shipment, with place, times and outcome')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette incident show K7M2P9XW4B')
    .action((reference: string, output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { findAnyShipment } = await dispatch();
        const shipment = await findAnyShipment(db, reference);
        if (!shipment) throw new CommandFailure(`no shipment ${reference}`);
        const { listAnyIncidentsOf } = await incidents();
        const columns = [
          ...COLUMNS.slice(2),
          'receivedAt',
          'latitude',
          'longitude',
          'resolution',
          'leftWith',
          'reason',
        ];
        const rows = await listAnyIncidentsOf(db, shipment.referenceNumber);
        printTable(rows, columns, output, `No incident of ${shipment.referenceNumber}.`);
      }),
    );

  incident
    .command('resolve <ref>')
    .description('end the open incident of a shipment; the driver is notified')
    .requiredOption('--as <resolution>', OPERATOR_RESOLUTIONS.join(', '))
    .requiredOption('--reason <text>', 'why; stored with the incident')
    .option('--name <text>', 'with left_with: the person who took the parcel')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
  tried_again  the driver tries again
  returned     the parcel went back to the sender; it keeps its status and leaves the driver’s list
  left_with    left with another person by the recipient’s word; the shipment is delivered
  confirmed    the operator confirms the delivery without the code

A returned parcel is not refunded by itself: \`navette account credit\` adds an entry to the ledger.

Example:
  navette incident resolve REF --as left_with --name "Mme Petit, 2nd floor" --reason "recipient agreed by phone"`,
    )
    .action((reference: string, { as, reason, name, ...output }: ResolveOptions) => {
      const resolution = OPERATOR_RESOLUTIONS.find((known) => known === as);
      if (!resolution) throw new UsageError(`--as must be one of ${OPERATOR_RESOLUTIONS.join(', ')}`);
      if (reason.trim() === '') throw new UsageError('--reason must not be empty');
      const decision = { resolution, reason: reason.trim(), leftWith: readName(resolution, name) };
      return withOperatorContext(async (context) => {
        const { NotReturnable, resolveAnyIncident } = await dispatch();
        const act = { act: 'incident.resolved', reason: decision.reason, details: { resolution } } as const;
        const done = await actOnShipment(context, { reference, what: 'be resolved', ...act }, (recorded) =>
          resolveAnyIncident(recorded, reference, decision),
        ).catch((error: unknown) => {
          throw error instanceof NotReturnable ? new CommandFailure(error.message) : error;
        });
        printRecord({ reference, resolution, status: done.to }, output);
      });
    });
}

function readName(resolution: OperatorResolution, name: string | undefined): string | null {
  if ((resolution === 'left_with') !== (name !== undefined && name.trim() !== '')) {
    throw new UsageError('--name is needed with --as left_with, and only there');
  }
  return name?.trim() ?? null;
}
