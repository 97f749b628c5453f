import { wrongCall } from '../failure.ts';
import { createOutput } from '../output.ts';
import { readConnection, readTarget, setting } from '../settings.ts';
import { WEBHOOK_EVENTS } from '../webhook-events.ts';
import { listen } from './listen.ts';

const RETRY_POLICIES = ['until-accepted', 'contract'] as const;

export const listenCommand = {
  name: 'listen',
  positionals: [],
  summary: 'Forward the account’s events to your program, as webhooks',
  details:
    'Pulls events, so your machine needs no public address. An event counts as received when your program has answered\nwith a 2xx; a listener that was killed goes on there.',
  options: [
    { name: 'forward-to', value: 'URL', description: 'your program, such as localhost:4000/navette (required)' },
    { name: 'events', value: 'LIST', description: 'only these, separated by commas, such as shipping.delivered' },
    {
      name: 'since',
      value: 'TIME',
      description: 'begin with the events of this moment, ISO 8601 (default: where the last run ended)',
    },
    {
      name: 'secret',
      value: 'TEXT',
      description: 'sign with this secret (NAVETTE_WEBHOOK_SECRET; default: one that is printed)',
    },
    {
      name: 'retry',
      value: 'POLICY',
      description: 'until-accepted (default), or contract: three attempts, then the event is dropped',
    },
    {
      name: 'give-up-after',
      value: 'MINUTES',
      description: 'exit when the service is unreachable for so long (default: 10)',
    },
    { name: 'state', value: 'FILE', description: 'where cursor and secret are stored (default: a file in ~/.navette)' },
    { name: 'json', description: 'one JSON object per line' },
  ],
  example: 'listen --forward-to localhost:4000/navette --events shipping.delivered,shipping.cancelled',
  needsApi: true,
  async run({ options, signal }: { options: Record<string, string | boolean | undefined>; signal: AbortSignal }) {
    const text = (name: string) => (typeof options[name] === 'string' ? options[name] : null);
    const target = text('forward-to');
    if (!target)
      throw wrongCall('--forward-to is missing: the address of your program, such as localhost:4000/navette');
    const retry = RETRY_POLICIES.find((policy) => policy === (text('retry') ?? 'until-accepted'));
    if (!retry) throw wrongCall(`--retry is one of: ${RETRY_POLICIES.join(', ')}`);
    await listen({
      connection: readConnection(options),
      target: readTarget(target),
      events: readEvents(text('events')),
      since: readMoment(text('since')),
      secret: setting(options, 'secret', 'NAVETTE_WEBHOOK_SECRET') ?? null,
      statePath: text('state'),
      retry,
      giveUpAfterMs: readMinutes(text('give-up-after') ?? '10') * 60_000,
      output: createOutput(options.json === true, (line) => process.stdout.write(`${line}\n`)),
      signal,
    });
    return 0;
  },
} as const;

function readEvents(list: string | null): string[] | null {
  if (list === null) return null;
  const names = list.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !(WEBHOOK_EVENTS as readonly string[]).includes(name));
  if (unknown.length > 0)
    throw wrongCall(`--events has ${unknown.join(', ')}; the events are ${WEBHOOK_EVENTS.join(', ')}`);
  return names;
}

function readMoment(text: string | null): string | null {
  if (text === null) return null;
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) throw wrongCall('--since is a moment such as 2026-11-17T08:00:00Z');
  return moment.toISOString();
}

function readMinutes(text: string): number {
  const minutes = Number(text);
  if (!(minutes > 0)) throw wrongCall('--give-up-after is a number of minutes, such as 10');
  return minutes;
}
