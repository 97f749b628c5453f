import { Agent, type Dispatcher } from 'undici';
import { type ConnectorOptions, createCheckedConnector } from './checked-connector.ts';

const MOST_BYTES_READ = 65_536; // of an answer; a connection with more to say is closed
const MOST_BYTES_KEPT = 1_024;

export interface EndpointRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** What came of one request. */
export interface EndpointAnswer {
  /** Of the answer; null when there was none. */
  status: number | null;
  /** Why there was none, as a code. */
  error: string | null;
  /** How an answer other than 2xx began. */
  answer: string | null;
  durationMs: number;
}

export interface EndpointClient {
  post(request: EndpointRequest): Promise<EndpointAnswer>;
  close(): Promise<void>;
}

/**
 * Posts to addresses that merchants chose, without trusting them: checked connections, no redirects, one time limit
 * for everything from the look-up of the name to the answer, and an answer of any length costs little. Connections
 * are kept for the next request. Never throws.
 */
export function createEndpointClient({ timeoutMs, ...checks }: ConnectorOptions): EndpointClient {
  const agent = new Agent({
    connect: createCheckedConnector({ ...checks, timeoutMs }),
    allowH2: false,
    headersTimeout: 0, // undici's own clock is coarse; the timer in exchange() covers all of it
    bodyTimeout: 0,
    maxHeaderSize: 16_384,
  });
  return {
    post: (request) => exchange(agent, request, timeoutMs),
    close: () => agent.destroy(),
  };
}

function exchange(agent: Agent, { url, headers, body }: EndpointRequest, timeoutMs: number): Promise<EndpointAnswer> {
  const start = performance.now();
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let status: number | null = null;
    let timedOut = false;
    let read = 0;
    const kept: Buffer[] = [];
    const finish = (error: string | null) => {
      const refused = status !== null && !isSuccess(status);
      resolve({ status, error, answer: refused ? readable(kept) : null, durationMs: performance.now() - start });
    };
    const timer = setTimeout(() => {
      timedOut = true;
      finish(status === null ? 'TIMEOUT' : null);
      controller?.abort(new Error('time is up'));
    }, timeoutMs);

    const { origin, pathname, search } = new URL(url);
    const request: Dispatcher.DispatchOptions = { origin, path: `${pathname}${search}`, method: 'POST', headers, body };
    agent.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        if (timedOut) started.abort(new Error('time is up')); // the connection came too late: nothing is sent
      },
      onResponseStart(_controller, code) {
        if (code < 200) return; // something in between, such as 100 Continue
        status = code;
        // The rest of the answer changes nothing; it is read so that the connection can be used again.
        if (isSuccess(code)) finish(null);
      },
      onResponseData(current, chunk) {
        if (read < MOST_BYTES_KEPT) kept.push(chunk.subarray(0, MOST_BYTES_KEPT - read));
        read += chunk.length;
        if (read > MOST_BYTES_READ) current.abort(new Error('the answer is too long'));
      },
      onResponseEnd() {
        clearTimeout(timer);
        finish(null);
      },
      onResponseError(_controller, error) {
        clearTimeout(timer);
        finish(status === null ? codeOf(error) : null);
      },
    });
  });
}

const isSuccess = (status: number) => status >= 200 && status < 300;

/** Text that a database can store. */
const readable = (chunks: Buffer[]) => Buffer.concat(chunks).toString('utf8').replaceAll('\0', '�') || null;

/** A short code without names or addresses, which an error's message may hold. */
function codeOf(error: Error): string {
  const { code, cause, name } = error as Error & { code?: unknown };
  if (typeof code === 'string') return code;
  return cause instanceof Error ? codeOf(cause) : name;
}
