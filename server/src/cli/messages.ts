import type { Command } from 'commander';
import { UsageError } from './failure.ts';
import { type OutputOptions, printTable } from './output.ts';
import { withEngines } from './with-engines.ts';

interface MessagesOptions extends OutputOptions {
  shipment?: string;
  failed?: boolean;
  limit: string;
}

const COLUMNS = ['createdAt', 'shipment', 'kind', 'status', 'to', 'attempts', 'segments', 'provider', 'failure'];

export function addMessagesCommand(program: Command): void {
  program
    .command('messages')
    .description('list the latest SMS and e-mails with their status; in development, with their text')
    .option('--shipment <reference>', 'only messages about this shipment')
    .option('--failed', 'only messages that could not be sent')
    .option('--limit <number>', 'maximum number', '20')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nRecipients are masked. Texts and links are shown only when no provider is configured, to open the recipient’s page.\n\nExamples:\n  navette messages --shipment 5N4MPK3S3M\n  navette messages --failed',
    )
    .action(async ({ shipment, failed, limit, ...output }: MessagesOptions) => {
      const filter = {
        limit: readLimit(limit),
        failedOnly: failed ?? false,
        ...(shipment ? { referenceNumber: shipment.trim().toUpperCase() } : {}),
      };
      const messages = await withEngines(async ({ db }) => {
        const { listMessagesOfAnyAccount } = await import('../features/messages/index.ts');
        return listMessagesOfAnyAccount(db, filter);
      });
      printTable(messages, COLUMNS, output, 'No message.');
      if (output.json) return;
      for (const { text, kind, shipment: reference } of messages) {
        if (text) console.log(`\n${kind}, ${reference}\n${text.replaceAll(/^/gm, '  ')}`);
      }
    });
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1_000) throw new UsageError('--limit must be from 1 to 1000');
  return limit;
}
