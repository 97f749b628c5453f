import { Command } from 'commander';
import { addAccountCommands } from './account.ts';
import { addAuditCommand } from './audit.ts';
import { addDoctorCommand } from './doctor.ts';
import { addDriverCommands } from './driver.ts';
import { addKeyCommands } from './key.ts';
import { addMessagesCommand } from './messages.ts';
import { addMigrateCommand } from './migrate.ts';
import { addServeCommand } from './serve.ts';
import { addShipmentCommands } from './shipment.ts';
import { addWebhookCommands } from './webhook.ts';

/**
 * All that `navette` can be asked to do. README's table of commands is made from it too. Here are words and options only:
 * each action imports what it works with, so that --help and a wrong call answer without loading the service.
 */
export function createProgram(): Command {
  const program = new Command('navette')
    .description('Navette, the operator’s hands: run the service and look after its accounts')
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
    addServeCommand,
    addDoctorCommand,
    addAccountCommands,
    addKeyCommands,
    addDriverCommands,
    addShipmentCommands,
    addWebhookCommands,
    addAuditCommand,
    addMessagesCommand,
  ];
  for (const add of commands) add(program);
  return program;
}
