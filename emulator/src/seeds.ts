import { readFileSync } from 'node:fs';
import { BASE_PATH, WEBHOOK_EVENTS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { API_KEY, CLIENT_ID, WEBHOOK_SECRET } from './fixed-values.ts';

/** Records that the emulator creates at its start and after each reset, through the public API. */
export interface Seeds {
  /** The body of `PUT /test/account`. */
  account?: object;
  /** The body of `PUT /test/courier`. */
  courier?: object;
  /** Bodies of `POST /webhooks`; events and secret have a default. */
  webhooks?: { url: string }[];
  /** Bodies of `POST /shipping`; `until` moves the shipment to that status. */
  shipments?: ({ until?: string } & Record<string, unknown>)[];
}

const PARTS = ['account', 'courier', 'webhooks', 'shipments'];

export class BadSeeds extends Error {}

export function readSeeds(file: string): Seeds {
  try {
    const seeds = JSON.parse(readFileSync(file, 'utf8')) as Seeds;
    const unknown = Object.keys(seeds).filter((name) => !PARTS.includes(name));
    if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}; known are ${PARTS.join(', ')}`);
    return seeds;
  } catch (error) {
    throw new BadSeeds(`${file}: ${(error as Error).message}`);
  }
}

export async function applySeeds(
  app: FastifyInstance,
  { account, courier, webhooks, shipments }: Seeds,
): Promise<void> {
  const send = async (method: 'POST' | 'PUT', path: string, body: object): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${API_KEY}`, 'x-client-id': CLIENT_ID };
    const response = await app.inject({ method, url: `${BASE_PATH}${path}`, headers, payload: body });
    if (response.statusCode >= 300) throw new BadSeeds(`${method} ${path} ${JSON.stringify(body)}: ${response.body}`);
    return response.json();
  };
  if (account) await send('PUT', '/test/account', account);
  if (courier) await send('PUT', '/test/courier', courier);
  for (const webhook of webhooks ?? []) {
    await send('POST', '/webhooks', { events: WEBHOOK_EVENTS, secret: WEBHOOK_SECRET, ...webhook });
  }
  for (const { until, ...shipment } of shipments ?? []) {
    const { shipping } = (await send('POST', '/shipping', shipment)) as { shipping: { _id: string } };
    if (until) await send('POST', `/test/shipping/${shipping._id}/until`, { status: until });
  }
}
