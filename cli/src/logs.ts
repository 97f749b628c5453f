import type { Answers } from '../../sdk/src/generated/api-types.ts';
import { type Api, createApi } from './api.ts';
import { explained, wrongCall } from './failure.ts';
import { createOutput } from './output.ts';
import { pause } from './pause.ts';
import { type Options, readConnection } from './settings.ts';

type LoggedRequest = Answers['readRequests']['requests'][number];
type StatusClass = (typeof STATUS_CLASSES)[number];

const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;
const FOLLOW_EVERY_MS = 2_000;

export const logsCommand = {
  name: 'logs',
  positionals: [],
  summary: 'Show the requests of your keys, and why some were refused',
  details: 'Without bodies and values: the log is for debugging, and entries may be lost.',
  options: [
    { name: 'follow', description: 'go on with new requests until Ctrl-C' },
    { name: 'status', value: 'CLASS', description: `only responses of this class: ${STATUS_CLASSES.join(', ')}` },
    { name: 'json', description: 'one JSON object per line' },
  ],
  example: 'logs --status 4xx',
  needsApi: true,
  async run({ options, signal }: { options: Options; signal: AbortSignal }) {
    const status = STATUS_CLASSES.find((one) => one === options.status);
    if (options.status !== undefined && !status) throw wrongCall(`--status is one of: ${STATUS_CLASSES.join(', ')}`);
    const api = createApi(readConnection(options));
    const output = createOutput(options.json === true, (line) => process.stdout.write(`${line}\n`));
    const print = (requests: LoggedRequest[]) => {
      for (const request of requests.toReversed()) output.print(request, describe(request));
    };

    let shown = (await explained(readPage(api, status, null))).requests;
    print(shown);
    if (shown.length === 0 && !output.isJson) output.print({}, 'No requests in the log yet.');
    while (options.follow && !signal.aborted) {
      await pause(FOLLOW_EVERY_MS, signal);
      if (signal.aborted) break;
      const added = await explained(readNew(api, status, shown));
      print(added);
      if (added.length > 0) shown = added;
    }
    return 0;
  },
} as const;

async function readPage(api: Api, status: StatusClass | undefined, cursor: string | null) {
  const page = await api.requests({ ...(status && { status }), ...(cursor && { cursor }) });
  if (!page.isAvailable) process.stderr.write('The log cannot be read at the moment.\n');
  return page;
}

/** Requests that are newer than those shown, newest first. */
async function readNew(
  api: Api,
  status: StatusClass | undefined,
  shown: readonly LoggedRequest[],
): Promise<LoggedRequest[]> {
  const known = new Set(shown.map(({ requestId }) => requestId));
  const added: LoggedRequest[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: Answers['readRequests'] = await readPage(api, status, cursor);
    const end = page.requests.findIndex(({ requestId }) => known.has(requestId));
    added.push(...page.requests.slice(0, end === -1 ? undefined : end));
    if (end !== -1 || !page.cursor) return added;
    cursor = page.cursor;
  }
}

function describe({ at, method, route, id, status, error, fields, durationMs, requestId }: LoggedRequest): string {
  const path = id ? route.replace(':id', id) : route;
  const reason = [error, ...fields].filter(Boolean).join(' ');
  return [at, method, path, `${status}${reason && ` ${reason}`}`, `${Math.round(durationMs)} ms`, requestId].join('  ');
}
