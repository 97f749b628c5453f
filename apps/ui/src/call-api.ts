import { ApiError } from './api-error.ts';

/** The parts of a request, filled according to the contract. */
export interface RequestParts {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

/** Parts whose fields are all optional are optional themselves, and so is the argument that holds only such parts. */
export type PartsArgument<Parts> =
  Record<never, never> extends OptionalParts<Parts> ? [parts?: OptionalParts<Parts>] : [parts: OptionalParts<Parts>];
type OptionalParts<Parts> = {
  [P in keyof Parts as Record<never, never> extends Parts[P] ? never : P]: Parts[P];
} & Partial<Parts>;

export interface ApiOptions<Name extends string> {
  /** `METHOD /path/:param` of every endpoint. */
  routes: Record<Name, string>;
  basePath: string;
  /** Headers of every request: a token, or a CSRF token except for GET. */
  headersFor: (method: string) => Record<string, string>;
  onRefusal?: (name: Name, error: ApiError) => void;
  /** Observes every response, successful or not. */
  onResponse?: (response: Response, sentAt: number) => void;
}

export interface Api<Name extends string> {
  urlOf: (name: Name, parts?: RequestParts) => string;
  /** The response, whatever its status. Throws an ApiError with status 0 when there is none. */
  request: (name: Name, parts?: RequestParts) => Promise<Response>;
  /** Throws an ApiError unless the response is successful. */
  send: (name: Name, parts?: RequestParts) => Promise<Response>;
}

/** Calls the endpoints of a table. The apps add the types of the contract. */
export function createApi<Name extends string>(options: ApiOptions<Name>): Api<Name> {
  const { routes, basePath, headersFor, onRefusal, onResponse } = options;

  function urlOf(name: Name, { params, query }: RequestParts = {}): string {
    const path = splitRoute(routes[name]).path.replace(/:(\w+)/g, (_, field: string) =>
      encodeURIComponent(params?.[field] ?? ''),
    );
    const given = Object.entries(query ?? {}).flatMap(([field, value]) =>
      value === undefined || value === '' ? [] : [[field, String(value)]],
    );
    return `${basePath}${path}${given.length ? `?${new URLSearchParams(given)}` : ''}`;
  }

  async function request(name: Name, parts: RequestParts = {}): Promise<Response> {
    const { body, headers, signal } = parts;
    const { method } = splitRoute(routes[name]);
    const sentAt = Date.now();
    const response = await fetch(urlOf(name, parts), {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headersFor(method),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    }).catch(() => {
      throw new ApiError(0, { error: 'NOT_REACHED' });
    });
    onResponse?.(response, sentAt);
    return response;
  }

  async function send(name: Name, parts?: RequestParts): Promise<Response> {
    const response = await request(name, parts);
    if (response.ok) return response;
    const error = new ApiError(response.status, await response.json().catch(() => ({})));
    onRefusal?.(name, error);
    throw error;
  }

  return { urlOf, request, send };
}

function splitRoute(route: string): { method: string; path: string } {
  const [method = 'GET', path = ''] = route.split(' ');
  return { method, path };
}
