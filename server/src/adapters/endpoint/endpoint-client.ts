import { Agent, type Dispatcher } from 'undici';
import { type ConnectorOptions, createCheckedConnector } from './checked-connector.ts';

const MAX_BYTES_READ = 65_536; // of a response; the connection of a longer one is closed
const MAX_BYTES_KEPT = 1_024;

export interface EndpointRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** The outcome of one request. */
export interface EndpointAnswer {
  /** Status of the response; null when there was none. */
  status: number | null;
  /** Error code when there was no response. */
  error: string | null;
  /** The beginning of a response other than 2xx. */
  answer: string | null;
  durationMs: number;
}

export interface EndpointClient {
  post(request: EndpointRequest): Promise<EndpointAnswer>;
  close(): Promise<void>;
}

/**
 * Posts to URLs that merchants chose and does not trust them: connections to allowed addresses only, no redirects, one
 * timeout from the DNS look-up to the response, and a limit on the bytes read. Connections are kept alive. Never throws.
 */
export function createEndpointClient({ timeoutMs, ...checks }: ConnectorOptions): EndpointClient {
  const agent = new Agent({
    connect: createCheckedConnector({ ...checks, timeoutMs }),
    allowH2: false,
    headersTimeout: 0, // undici's timers are coarse; the timer in exchange() covers the whole request
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
      controller?.abort(new Error('timeout'));
    }, timeoutMs);

    const { origin, pathname, search } = new URL(url);
    const request: Dispatcher.DispatchOptions = { origin, path: `${pathname}${search}`, method: 'POST', headers, body };
    agent.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        if (timedOut) started.abort(new Error('timeout')); // connected too late: nothing is sent
      },
      onResponseStart(_controller, code) {
        if (code < 200) return; // informational, such as 100 Continue
        status = code;
        // The rest of the response has no effect. It is read so that the connection can be reused.
        if (isSuccess(code)) finish(null);
      },
      onResponseData(current, chunk) {
        if (read < MAX_BYTES_KEPT) kept.push(chunk.subarray(0, MAX_BYTES_KEPT - read));
        read += chunk.length;
        if (read > MAX_BYTES_READ) current.abort(new Error('the response is too long'));
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

/** Text that PostgreSQL can store. */
const readable = (chunks: Buffer[]) => Buffer.concat(chunks).toString('utf8').replaceAll('\0', '�') || null;

/** A short code. The message of an error may contain names or addresses. */
function codeOf(error: Error): string {
  const { code, cause, name } = error as Error & { code?: unknown };
  if (typeof code === 'string') return code;
  return cause instanceof Error ? codeOf(cause) : name;
}
