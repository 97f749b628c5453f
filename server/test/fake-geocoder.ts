import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface FoundPlace {
  latitude: number;
  longitude: number;
  score?: number;
  type?: 'housenumber' | 'street' | 'locality' | 'municipality';
  /** Further ones of the feature, for completions. */
  properties?: Record<string, string | number>;
}

type Answer = FoundPlace | 'hang' | keyof typeof CANNED_ANSWERS;

const PARIS_TOWN_HALL: FoundPlace = { latitude: 48.856614, longitude: 2.352222 };

// Status and body. Like the real service, responses repeat the query, so that tests can check that it is not stored.
const CANNED_ANSWERS = {
  nothing: (query: string) => [200, featureCollection(query, [])],
  error: (query: string) => [503, `Service Unavailable: ${query}`],
  throttle: () => [429, '{"message":"API rate limit exceeded"}'],
  refusal: () => [400, '{"code":400,"detail":["q: should contain between 3 and 200 chars"]}'],
  garbage: (query: string) => [200, `<html>${query}</html>`],
  'wrong-shape': (query: string) => [200, JSON.stringify({ results: [{ query }] })],
  flood: () => [200, featureCollection('x'.repeat(1024 * 1024), [feature(PARIS_TOWN_HALL)])],
} satisfies Record<string, (query: string) => [status: number, body: string]>;

/** A local server with the protocol of the national address service (Addok). */
export type FakeGeocoder = Awaited<ReturnType<typeof startFakeGeocoder>>;

export async function startFakeGeocoder() {
  let answers: [Answer, ...Answer[]] = [PARIS_TOWN_HALL];
  const requests: URL[] = [];

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    requests.push(url);
    const [answer, ...next] = answers;
    if (isNotEmpty(next)) answers = next;
    if (answer === 'hang') return;
    const isSearch = request.method === 'GET' && url.pathname === '/search';
    const [status, body] = isSearch
      ? compose(answer, url.searchParams.get('q') ?? '')
      : [404, '{"detail":"Not Found"}'];
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    /** Used in order; the last one is repeated. */
    answerWith(...next: [Answer, ...Answer[]]) {
      answers = next;
    },
    async stop() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections(); // a hanging request would keep the server open
      await closed;
    },
  };
}

function compose(answer: Exclude<Answer, 'hang'>, query: string): [status: number, body: string] {
  if (typeof answer === 'string') return CANNED_ANSWERS[answer](query);
  return [200, featureCollection(query, [feature(answer)])];
}

function featureCollection(query: string, features: object[]): string {
  return JSON.stringify({ type: 'FeatureCollection', features, query });
}

function feature({ latitude, longitude, score = 0.9, type = 'housenumber', properties }: FoundPlace): object {
  return {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
    properties: { score, type, ...properties },
  };
}

function isNotEmpty<Item>(items: Item[]): items is [Item, ...Item[]] {
  return items.length > 0;
}
