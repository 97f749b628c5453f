import { NavetteError } from './errors.ts';
import { parseObject, readFailure, remedyFor } from './read-failure.ts';
import { delayBeforeRetry, type Repeatable, type RetrySettings } from './retry-rules.ts';

export interface NavetteOptions extends Partial<RetrySettings> {
  /** The service's address, such as `https://api.example.org`; paths start with /pro/api/v1 below it. */
  url: string;
  apiKey: string;
  clientId: string;
  /** Limit of one attempt. 20 s by default; a stream may pause that long between two parts. */
  timeoutMs?: number;
  /** Limit of a call with all its attempts and waits. 120 s by default, which includes one rate-limit window. */
  deadlineMs?: number;
  /** Called after every attempt, for logs and metrics. It receives no body and no personal data. */
  onAttempt?: (attempt: Attempt) => void;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

export interface Attempt {
  operation: string;
  attempt: number;
  status: number | null;
  slug: string | null;
  requestId: string;
  durationMs: number;
  /** Milliseconds until the next attempt; null when there is none. */
  retryInMs: number | null;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  deadlineMs?: number | undefined;
  retries?: number | undefined;
}

export interface Operation extends Repeatable {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /pro/api/v1, or an absolute URL that is called without credentials. */
  path: string;
  query?: object | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  /** A batch of which no entry was created is a 400 with the body of a success. */
  isBatch?: boolean;
}

/** A response's body, and the timer that ends the attempt when it takes too long. */
interface Open {
  response: Response;
  requestId: string;
  /** Starts the time limit again. */
  arm(): void;
  pause(): void;
  close(): void;
  /** The error of a body that broke off. */
  explain(cause: unknown): NavetteError;
}

type Prepared = RequestInit & { url: string; headers: Headers };
type Read<T> = (open: Open) => Promise<T>;

const BASE_PATH = '/pro/api/v1';

/** Sends requests by the contract's rules of retrying. */
export class Transport {
  readonly clientId: string;
  /** How far the server's clock is ahead, by its last response. */
  clockSkewMs = 0;
  readonly #options: NavetteOptions;

  constructor(options: NavetteOptions) {
    for (const name of ['url', 'apiKey', 'clientId'] as const) {
      if (!options[name]) throw new TypeError(`Navette: \`${name}\` is missing`);
    }
    new URL(options.url); // throws when it is none
    this.#options = options;
    this.clientId = options.clientId;
  }

  json<T>(operation: Operation, options?: CallOptions): Promise<T> {
    return this.#send(operation, options, 'json', async ({ response, requestId }) => {
      const text = await response.text();
      const body = parseObject(text);
      if (body?.success !== true) throw readFailure(response.status, text, requestId);
      return body as T;
    });
  }

  bytes(operation: Operation, options?: CallOptions): Promise<Uint8Array> {
    const read: Read<Uint8Array> = async ({ response }) => new Uint8Array(await response.arrayBuffer());
    return this.#send(operation, options, 'pdf', read);
  }

  /** Retries until the response starts. From then on a cut is an error: the caller has already used a part. */
  async *text(operation: Operation, options?: CallOptions): AsyncGenerator<string> {
    const open = await this.#send(operation, options, 'json', async (open) => open, true);
    const reader = open.response.body?.getReader();
    const decoder = new TextDecoder();
    try {
      for (;;) {
        open.arm();
        const part = await reader?.read();
        if (!part || part.done) break;
        open.pause(); // the caller may take its time
        yield decoder.decode(part.value, { stream: true });
      }
    } catch (cause) {
      throw open.explain(cause);
    } finally {
      open.close();
      await reader?.cancel().catch(() => {});
    }
  }

  async #send<T>(
    operation: Operation,
    options: CallOptions = {},
    type: 'json' | 'pdf',
    read: Read<T>,
    staysOpen = false,
  ): Promise<T> {
    const own = this.#options;
    const { timeoutMs = own.timeoutMs ?? 20_000, deadlineMs = own.deadlineMs ?? 120_000, signal } = options;
    const settings = { retries: options.retries ?? own.retries ?? 5, backoffMs: own.backoffMs ?? 500 };
    const startedAt = performance.now();
    const leftMs = () => deadlineMs - (performance.now() - startedAt);
    const request = this.#prepare(operation);
    for (let attempt = 1, failed = 0; ; attempt++) {
      const attemptedAt = performance.now();
      const open = this.#open(Math.min(timeoutMs, leftMs()), signal);
      const { requestId } = open;
      let response: Response | null = null;
      let result: T | undefined;
      let error: NavetteError | null = null;
      try {
        response = await open.fetch(request);
        result = await this.#read(operation, type, read, { ...open, response });
      } catch (cause) {
        error = open.explain(cause);
        error.attempts = attempt;
        if (error.window !== 'minute') failed++;
      }
      if (staysOpen && !error) open.pause();
      else open.close();
      const delay = error && delayBeforeRetry(error, operation, Math.max(failed, 1), settings, response?.headers);
      const retryInMs = delay !== null && delay < leftMs() ? delay : null;
      own.onAttempt?.({
        operation: operation.name,
        attempt,
        status: response?.status ?? null,
        slug: error?.slug ?? null,
        requestId,
        durationMs: performance.now() - attemptedAt,
        retryInMs,
      });
      if (!error) return result as T;
      if (retryInMs === null) throw error;
      await sleep(retryInMs, signal);
    }
  }

  async #read<T>({ isBatch }: Operation, type: string, read: Read<T>, open: Open): Promise<T> {
    const { status, ok, headers } = open.response;
    const serverNow = Date.parse(headers.get('date') ?? '');
    if (serverNow) this.clockSkewMs = serverNow - Date.now();
    if (ok && headers.get('content-type')?.startsWith(`application/${type}`)) return read(open);
    const text = await open.response.text();
    const body = isBatch ? parseObject(text) : null;
    if (body && 'created' in body) return body as T;
    throw readFailure(status, text, headers.get('x-request-id') ?? open.requestId);
  }

  /** One attempt, with its own time limit. */
  #open(limitMs: number, signal: AbortSignal | undefined) {
    const requestId = crypto.randomUUID();
    const controller = new AbortController();
    let isLate = false;
    let timer: ReturnType<typeof setTimeout>;
    const pause = () => clearTimeout(timer);
    const arm = () => {
      pause();
      timer = setTimeout(() => {
        isLate = true;
        controller.abort();
      }, limitMs);
    };
    const abort = () => controller.abort();
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    arm();
    return {
      requestId,
      arm,
      pause,
      close() {
        pause();
        signal?.removeEventListener('abort', abort);
      },
      fetch: ({ url, headers, ...init }: Prepared) => {
        if (headers.has('authorization')) headers.set('x-request-id', requestId);
        return (this.#options.fetch ?? fetch)(url, { ...init, headers, signal: controller.signal });
      },
      explain(cause: unknown): NavetteError {
        if (cause instanceof NavetteError) return cause;
        const slug = isLate ? 'timeout' : signal?.aborted ? 'aborted' : 'network';
        const causes = [cause, (cause as Error).cause].filter(Boolean).join(': '); // fetch hides the reason in a cause
        return new NavetteError(slug, isLate ? `no complete response within ${Math.round(limitMs)} ms` : causes, {
          requestId,
          cause: slug === 'aborted' ? signal?.reason : cause,
          remedy: remedyFor(slug),
          isRetryable: slug !== 'aborted',
        });
      },
    };
  }

  /** Before the first attempt, so that a request that cannot be sent is not retried. */
  #prepare({ method, path, query, body, headers }: Operation): Prepared {
    const { apiKey, clientId, url } = this.#options;
    const isForeign = path.startsWith('http');
    const address = new URL(isForeign ? path : url.replace(/\/+$/, '') + BASE_PATH + path);
    for (const [name, value] of Object.entries(query ?? {})) {
      if (value !== undefined) address.searchParams.set(name, String(value));
    }
    const own = { authorization: `Bearer ${apiKey}`, 'x-client-id': clientId, ...headers };
    return {
      url: address.href,
      method,
      redirect: 'manual', // a redirect would carry the key to another address
      headers: new Headers(isForeign ? {} : body === undefined ? own : { ...own, 'content-type': 'application/json' }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
  }
}

export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(new NavetteError('aborted', 'aborted by the caller', { cause: signal?.reason }));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
