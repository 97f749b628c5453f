import { randomBytes } from 'node:crypto';
import { NavetteError } from '../../../sdk/src/errors.ts';
import { type Api, createApi, type FeedEvent } from '../api.ts';
import { explain, explained, Failure } from '../failure.ts';
import type { Output } from '../output.ts';
import { pause } from '../pause.ts';
import type { Connection } from '../settings.ts';
import { forward, type RetryPolicy } from './forward.ts';
import { defaultStatePath, type ListenState, readState, writeState } from './state-file.ts';

export interface ListenOptions {
  connection: Connection;
  target: URL;
  /** Null: all events. */
  events: readonly string[] | null;
  since: string | null;
  secret: string | null;
  statePath: string | null;
  retry: RetryPolicy;
  giveUpAfterMs: number;
  output: Output;
  signal: AbortSignal;
}

const FIRST_BACKOFF_MS = 500;
const MOST_BACKOFF_MS = 15_000;
const PAUSE_OF_LIMIT_MS = 60_000; // the limit of the hour or the day is reached

/**
 * Pulls events and forwards them one by one, in order. The cursor of an event is stored once the receiver has accepted it,
 * so a kill at any moment repeats at most that event. Returns when the signal is aborted.
 */
export async function listen(options: ListenOptions): Promise<void> {
  const { connection, target, output, signal, events: wanted } = options;
  const api = createApi(connection);
  const path = options.statePath ?? defaultStatePath(connection.url, connection.clientId, target.href);
  const account = await explained(api.account());
  const state = await startState(api, path, options);
  output.print(
    {
      type: 'ready',
      account: account.name,
      isTest: connection.isTest,
      target: target.href,
      secret: state.secret,
      statePath: path,
    },
    `Forwarding events of ${account.name} (${connection.isTest ? 'test' : 'LIVE'} mode) to ${target.href}\nWebhook secret: ${state.secret}\nStop with Ctrl-C; the next run goes on where this one stops.`,
  );
  const forwarding = { target, secret: state.secret, retry: options.retry, signal };

  while (!signal.aborted) {
    const page = await pullWithBackoff(api, state.cursor, options);
    if (!page) break;
    for (const event of page.events) {
      if (wanted === null || wanted.includes(event.event)) {
        const onAttempt = (attempt: number, reply: Parameters<typeof describe>[2]) =>
          output.print(...describe(event, attempt, reply));
        const outcome = await forward({ ...forwarding, onAttempt }, event);
        if (outcome === 'stopped') return;
        if (outcome === 'dropped')
          output.print({ type: 'dropped', id: event.id }, `dropped after three attempts  ${event.id}`);
      }
      state.cursor = event.cursor;
      await writeState(path, state);
    }
    if (state.cursor !== page.cursor) await writeState(path, Object.assign(state, { cursor: page.cursor }));
  }
}

/** `--since` and a first run choose the start; otherwise the stored cursor does. */
async function startState(api: Api, path: string, { since, secret, signal }: ListenOptions): Promise<ListenState> {
  const stored = await readState(path);
  const cursor = stored && since === null ? stored.cursor : await explained(findStart(api, since, signal));
  const state = { cursor, secret: secret ?? stored?.secret ?? `navette_whsec_${randomBytes(24).toString('hex')}` };
  await writeState(path, state);
  return state;
}

/** The cursor before the first event to forward. */
async function findStart(api: Api, since: string | null, signal: AbortSignal): Promise<string> {
  if (since === null) return (await api.pull({ wait: 0 }, signal)).cursor;
  const { events, cursor } = await api.pull({ since, wait: 0, limit: 1 }, signal);
  return events[0] ? String(Number(events[0].cursor) - 1) : cursor;
}

/** Null when the signal was aborted. Fails when a repetition cannot help, or the service stays unreachable. */
async function pullWithBackoff(api: Api, after: string, { giveUpAfterMs, output, signal }: ListenOptions) {
  let failedSince: number | null = null;
  for (let failures = 0; ; failures++) {
    try {
      const page = await api.pull({ after }, signal);
      if (failures > 0) output.print({ type: 'connected' }, 'connected again');
      return page;
    } catch (error) {
      if (signal.aborted) return null;
      if (!(error instanceof NavetteError)) throw error;
      if (error.slug === 'rate_limited') {
        output.print(
          { type: 'limited', window: error.window },
          `the request limit of the ${error.window} is reached: waiting`,
        );
        await pause(PAUSE_OF_LIMIT_MS, signal);
        continue;
      }
      if (isFinal(error)) throw new Failure(finalMessage(error));
      failedSince ??= Date.now();
      if (Date.now() - failedSince >= giveUpAfterMs) {
        throw new Failure(
          `The service was unreachable for ${Math.round(giveUpAfterMs / 60_000)} minutes (${error.message}). Check NAVETTE_URL and the network, then start again: the cursor is stored, no event is lost.`,
        );
      }
      const delay = Math.min(FIRST_BACKOFF_MS * 2 ** failures, MOST_BACKOFF_MS) * (0.5 + Math.random() / 2);
      output.print(
        { type: 'disconnected', error: error.message },
        `not connected (${error.message}): trying again in ${Math.ceil(delay / 1000)} s`,
      );
      await pause(delay, signal);
    }
  }
}

/** The service has refused the request: it would refuse the same one again. */
const isFinal = ({ status }: NavetteError) => status !== null && status < 500 && status !== 408;

function finalMessage(error: NavetteError): string {
  if (error.slug === 'not_found')
    return 'This service has no event feed: it runs an older version. Ask its operator to update it.';
  if (error.status === 400)
    return `The stored cursor is not of this account, or the service was restored from a backup. Start again with --since, such as --since 2026-11-17T08:00:00Z. The service responded: ${error.message}`;
  return `${explain(error)} Then start again: the cursor is stored.`;
}

function describe(
  event: FeedEvent,
  attempt: number,
  { status, error, durationMs }: { status: number | null; error: string | null; durationMs: number },
): [object, string] {
  const ms = Math.round(durationMs);
  const outcome = status ?? error ?? 'no response';
  const hint = status === 401 || status === 403 ? '  (does the receiver have the secret above?)' : '';
  const nth = attempt > 1 ? `  attempt ${attempt}` : '';
  const fields = {
    type: 'forwarded',
    cursor: event.cursor,
    id: event.id,
    event: event.event,
    attempt,
    status,
    error,
    durationMs: ms,
  };
  return [fields, `${event.event.padEnd(18)}  ${outcome}  ${ms} ms  ${event.id}${nth}${hint}`];
}
