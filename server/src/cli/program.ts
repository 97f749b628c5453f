import { Command } from 'commander';
import { readBuild } from '../config.ts';
import { addAccountCommands } from './account.ts';
import { addAuditCommand } from './audit.ts';
import { addCellCommands } from './cell.ts';
import { addDemoCommands } from './demo.ts';
import { addDoctorCommand } from './doctor.ts';
import { addDriverCommands } from './driver.ts';
import { addFiguresCommands } from './figures.ts';
import { addIncidentCommands } from './incident.ts';
import { addInvoiceCommands } from './invoice.ts';
import { addKeyCommands } from './key.ts';
import { addMessagesCommand } from './messages.ts';
import { addMigrateCommand } from './migrate.ts';
import { addPartitionCommand } from './partition.ts';
import { addPaymentCommands } from './payment.ts';
import { addPersonCommands } from './person.ts';
import { addSandboxCommands } from './sandbox.ts';
import { addSecretsCommands } from './secrets.ts';
import { addServeCommand } from './serve.ts';
import { addShipmentCommands } from './shipment.ts';
import { addStaffCommands } from './staff.ts';
import { addVerifyCommand } from './verify.ts';
import { addWebhookCommands } from './webhook.ts';

/**
 * Every command of `navette`; README's table of commands is generated from it. Commands are registered without loading
 * the service: each action imports what it needs, so that --help and wrong usage respond quickly.
 */
export function createProgram(): Command {
  const program = new Command('navette')
    .description('Navette for operators: run the service and manage accounts, drivers and shipments')
    .version(describeBuild(), '--version', 'print the version, and the commit and time of the build')
    .showHelpAfterError('(add --help for usage and examples)')
    .addHelpText(
      'after',
      `
Examples:
  navette migrate && navette serve
  navette account create --input account.json
  navette key create ACCOUNT --name "web shop"

Settings come from the environment; README.md lists them.`,
    );

  const commands = [
    addMigrateCommand,
    addPartitionCommand,
    addServeCommand,
    addDoctorCommand,
    addAccountCommands,
    addKeyCommands,
    addSandboxCommands,
    addDriverCommands,
    addStaffCommands,
    addShipmentCommands,
    addIncidentCommands,
    addInvoiceCommands,
    addPaymentCommands,
    addWebhookCommands,
    addSecretsCommands,
    addAuditCommand,
    addVerifyCommand,
    addFiguresCommands,
    addMessagesCommand,
    addPersonCommands,
    addCellCommands,
    addDemoCommands,
  ];
  for (const add of commands) add(program);
  return program;
}

function describeBuild(): string {
  const { version, commit, builtAt } = readBuild();
  const origin = [commit && `commit ${commit}`, builtAt && `built ${builtAt}`].filter(Boolean);
  return origin.length > 0 ? `${version} (${origin.join(', ')})` : version;
}
