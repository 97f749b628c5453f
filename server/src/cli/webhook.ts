import { setTimeout } from 'node:timers/promises';
import { WEBHOOK_DELIVERY } from '@navette/contract/limits';
import type { Command } from 'commander';
import { CommandFailure, UsageError } from './failure.ts';
import { readId } from './input.ts';
import { refuseUnknownAccount } from './known-account.ts';
import { type OutputOptions, printRecord, printTable } from './output.ts';
import { refusalAsFailure } from './refusal-as-failure.ts';
import { withEngines, withJobs } from './with-engines.ts';

const STATUSES = ['pending', 'delivered', 'dropped', 'cancelled'];
const MAX_ROWS = 1_000;
const WAIT_MS = 500;

interface DeliveriesOptions extends OutputOptions {
  webhook?: string;
  status?: string;
  limit: string;
}

const webhooks = () => import('../features/webhooks/index.ts');

export function addWebhookCommands(program: Command): void {
  const webhook = program
    .command('webhook')
    .description('list webhooks and their deliveries, test one, send events again')
    .addHelpText(
      'after',
      '\nACCOUNT is an id, as `navette account list` shows it.\n\nExample:\n  navette webhook deliveries ACCOUNT --status dropped',
    );

  webhook
    .command('list <account>')
    .description('list the webhooks of an account, without their secrets')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette webhook list ACCOUNT')
    .action((accountId: string, output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { describeWebhooks } = await webhooks();
        const id = readId(accountId);
        const rows = await describeWebhooks(db, id);
        if (rows.length === 0) await refuseUnknownAccount(db, id);
        const columns = ['id', 'url', 'events', 'isActive', 'failingSince', 'pausedAt', 'pauseReason', 'createdAt'];
        printTable(rows, columns, output, 'No webhook: the merchant creates them with POST /webhooks.');
      }),
    );

  webhook
    .command('deliveries <account>')
    .description('list deliveries to an account’s webhooks, newest first, with every attempt (stored for 30 days)')
    .option('--webhook <id>', 'only deliveries to this webhook')
    .option('--status <status>', `only ${STATUSES.join(', ')}`)
    .option('--limit <number>', `maximum number, up to ${MAX_ROWS}`, '50')
    .option('--json', 'print JSON, with the beginning of each error response')
    .addHelpText(
      'after',
      '\nExamples:\n  navette webhook deliveries ACCOUNT\n  navette webhook deliveries ACCOUNT --status dropped --limit 10 --json',
    )
    .action(async (accountId: string, { webhook: webhookId, status, limit, ...output }: DeliveriesOptions) => {
      const wanted = {
        limit: readLimit(limit),
        ...(webhookId ? { webhookId: readId(webhookId, 'webhook list ACCOUNT') } : {}),
        ...(status ? { status: readStatus(status) } : {}),
      };
      const id = readId(accountId);
      await withEngines(async ({ db }) => {
        const { listDeliveries } = await webhooks();
        const deliveries = await listDeliveries(db, id, wanted);
        if (deliveries.length === 0) await refuseUnknownAccount(db, id);
        const rows = deliveries.map((delivery) => ({
          ...delivery,
          attempts: output.json ? delivery.attempts : delivery.attempts.map(summarise),
        }));
        const columns = ['createdAt', 'event', 'shipmentId', 'webhookId', 'status', 'attempts', 'resends'];
        printTable(rows, columns, output, 'No delivery to this account’s webhooks in the last 30 days.');
      });
    });

  addResendCommand(webhook);

  webhook
    .command('test <webhook>')
    .description('send a signed test request and show the response; every id in it is zero')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nWEBHOOK is an id, as `navette webhook list` shows it. Exits with 1 unless the response is 2xx.\n\nExample:\n  navette webhook test 01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60',
    )
    .action(async (webhookId: string, output: OutputOptions) => {
      const id = readId(webhookId, 'webhook list ACCOUNT');
      await withEngines(async ({ db, config }) => {
        const { createSecretKeeper, createTargetRules, testAnyWebhook } = await webhooks();
        const { createEndpointClient } = await import('../adapters/endpoint/endpoint-client.ts');
        const targets = createTargetRules(config.webhookAllowedNetworks);
        const client = createEndpointClient({ ...targets, timeoutMs: WEBHOOK_DELIVERY.timeoutMs });
        const secrets = createSecretKeeper(config.webhookSecretKeys);
        try {
          const result = await testAnyWebhook(db, secrets, client, id, new Date());
          if (!result) throw new CommandFailure(`no webhook ${id}; \`navette webhook list ACCOUNT\` shows them`);
          printRecord({ ...result, durationMs: Math.round(result.durationMs) }, output);
          const { status, error } = result;
          if (status === null || status < 200 || status > 299) throw new CommandFailure(`failed: ${error ?? status}`);
        } finally {
          await client.close();
        }
      });
    });
}

function addResendCommand(webhook: Command): void {
  webhook
    .command('resend <webhook>')
    .description('send one event, or the lost events of a period, to a webhook again')
    .option('--event <id>', 'this event, as `webhook deliveries --json` shows it')
    .option('--since <instant>', 'events from this instant on (ISO 8601), at most 28 days ago')
    .option('--until <instant>', 'events before this instant; default: now')
    .option('--all', 'also events that were delivered')
    .option('--wait', 'wait until the worker has queued all of them')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nWEBHOOK is an id, as `navette webhook list` shows it. The body is the same as before, so a receiver that has\nprocessed an event recognises it. Each event gets three new attempts.\n\nExamples:\n  navette webhook resend WEBHOOK --event 01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60\n  navette webhook resend WEBHOOK --since 2026-11-16T22:00:00Z --until 2026-11-17T06:00:00Z --wait',
    )
    .action(async (webhookId: string, options: ResendOptions) => {
      const id = readId(webhookId, 'webhook list ACCOUNT');
      const request = readResend(options);
      await withEngines((engines) =>
        withJobs(engines, async (jobs) => {
          const { db } = engines;
          const { findResend, requestAnyResend } = await webhooks();
          const requested = await refusalAsFailure(requestAnyResend({ db, jobs }, id, request, new Date()));
          if (!requested) throw new CommandFailure(`no webhook ${id}; \`navette webhook list ACCOUNT\` shows them`);
          const { accountId, ...started } = requested;
          let resend: typeof started | undefined = started;
          while (options.wait && resend?.state === 'running') {
            await setTimeout(WAIT_MS);
            resend = await findResend(db, accountId, started.id);
          }
          printRecord({ ...(resend ?? started) }, options);
        }),
      );
    });
}

interface ResendOptions extends OutputOptions {
  event?: string;
  since?: string;
  until?: string;
  all?: boolean;
  wait?: boolean;
}

function readResend({ event, since, until, all }: ResendOptions) {
  if ((event === undefined) === (since === undefined)) throw new UsageError('give either --event or --since');
  if (event !== undefined) return { eventId: readId(event, 'webhook deliveries ACCOUNT') };
  const instantOf = (text: string, option: string) => {
    const at = new Date(text);
    if (Number.isNaN(at.getTime())) throw new UsageError(`${option} must be an instant, such as 2026-11-17T06:00:00Z`);
    return at.toISOString();
  };
  const scope = all ? ('all' as const) : ('lost' as const);
  const end = until === undefined ? new Date().toISOString() : instantOf(until, '--until');
  return { since: instantOf(since ?? '', '--since'), until: end, scope };
}

const summarise = ({
  status,
  error,
  durationMs,
}: {
  status: number | null;
  error: string | null;
  durationMs: number | null;
}) => `${status ?? error}${durationMs === null ? '' : ` in ${durationMs} ms`}`;

function readLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_ROWS) {
    throw new UsageError(`--limit must be a whole number from 1 to ${MAX_ROWS}`);
  }
  return limit;
}

function readStatus(status: string): string {
  if (!STATUSES.includes(status)) throw new UsageError(`--status must be one of ${STATUSES.join(', ')}`);
  return status;
}
