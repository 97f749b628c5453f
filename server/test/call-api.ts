export interface CallOptions {
  body?: unknown;
  /** Sent unchanged, for bodies that are not JSON. */
  rawBody?: string;
  headers?: Record<string, string>;
  query?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape and compare them with the contract
  body: any;
}

/** A merchant's HTTP client: key and client id in the headers, JSON both ways. */
export async function callApi(
  url: string,
  { key, clientId }: { key?: string; clientId?: string },
  method: string,
  { body, rawBody, headers = {}, query = {} }: CallOptions = {},
): Promise<Answer> {
  const address = new URL(url);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(address, {
    method,
    redirect: 'manual',
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(clientId ? { 'x-client-id': clientId } : {}),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.match(/\bjson\b/);
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
