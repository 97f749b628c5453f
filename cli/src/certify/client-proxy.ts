import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

/** Faults of the first attempt of an order, one for each order. The attempts after it reach the service. */
export const CLIENT_FAULTS = [
  'lost-answer',
  'no-answer',
  'unavailable',
  'message-only',
  'rate-limit',
  'slow',
  'refused',
  'conflict',
] as const;
export type ClientFault = (typeof CLIENT_FAULTS)[number];

/** A request that creates a shipment, as the proxy saw it. */
export interface CreationAttempt {
  key: string | null;
  body: string;
  fault: ClientFault | null;
  /** By `Date.now()`: when it arrived, and before when it must not be repeated. */
  at: number;
  notBefore: number | null;
  /** The status that the client received; null: none. */
  status: number | null;
  /** The service created a shipment with this request. */
  hasCreated: boolean;
}

export interface ClientProxy {
  url: string;
  attempts: CreationAttempt[];
  stop(): Promise<void>;
}

const CREATION_PATH = '/pro/api/v1/shipping';
const SLOW_MS = 6_000;
const WINDOW_SECONDS = 3;
const HOP_BY_HOP = ['connection', 'content-length', 'content-encoding', 'transfer-encoding', 'keep-alive'];

/** Between the client and the service, on loopback. Each new order meets the next fault, until all have happened. */
export async function startClientProxy(target: string): Promise<ClientProxy> {
  const attempts: CreationAttempt[] = [];
  const left = [...CLIENT_FAULTS];
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const path = new URL(request.url ?? '/', target).pathname;
    if (request.method !== 'POST' || path !== CREATION_PATH) return pass(response, await forward(request, body));
    await handleCreation(request, response, body);
  }

  async function handleCreation(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    const key = request.headers['x-idempotency-key']?.toString() ?? null;
    const attempt: CreationAttempt = {
      ...{ key, body: body.toString(), fault: null, at: Date.now(), notBefore: null, status: null, hasCreated: false },
    };
    const isNew = !attempts.some((earlier) => earlier.body === attempt.body);
    attempts.push(attempt);
    if (isNew) attempt.fault = left.shift() ?? null;
    const reachService = async () => {
      const answer = await forward(request, body);
      attempt.hasCreated = answer.status === 201;
      return answer;
    };
    switch (attempt.fault) {
      case 'no-answer':
        return void response.destroy();
      case 'lost-answer':
        await reachService();
        return void response.destroy();
      case 'slow':
      case null:
        break;
      default:
        return answerInstead(attempt, attempt.fault, response);
    }
    const answer = await reachService();
    if (attempt.fault === 'slow') await wait(SLOW_MS);
    if (!response.destroyed) attempt.status = answer.status;
    return pass(response, answer);
  }

  /** The addresses and keys of the service stay as the client sent them. */
  function forward({ method, url = '/', headers }: IncomingMessage, body: Buffer): Promise<Response> {
    const sent = Object.entries(headers).filter(([name]) => name !== 'host' && !HOP_BY_HOP.includes(name));
    return fetch(new URL(url, target), {
      ...(method && { method }),
      headers: sent.map(([name, value]): [string, string] => [name, String(value)]),
      ...(body.length > 0 && { body: new Uint8Array(body) }),
      redirect: 'manual',
    });
  }

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    attempts,
    async stop() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The key names the order; without keys only the body can. */
export const isSameOrder = (a: CreationAttempt, b: CreationAttempt): boolean =>
  a.key === b.key && (a.key !== null || a.body === b.body);

async function pass(response: ServerResponse, answer: Response): Promise<void> {
  const headers = [...answer.headers].filter(([name]) => !HOP_BY_HOP.includes(name));
  response.writeHead(answer.status, headers.flat()).end(Buffer.from(await answer.arrayBuffer()));
}

type Answered = Exclude<ClientFault, 'no-answer' | 'lost-answer' | 'slow'>;

/** Responses that the service, or a proxy in front of it, may give. */
function answerInstead(attempt: CreationAttempt, fault: Answered, response: ServerResponse): void {
  const reset = Math.ceil(Date.now() / 1_000) + WINDOW_SECONDS;
  const limits = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) };
  const answers: Record<Answered, { status: number; headers?: Record<string, string>; body: object | string }> = {
    unavailable: { status: 503, body: '<!doctype html><title>Service unavailable</title>' },
    'message-only': { status: 400, body: { success: false, message: 'Unexpected failure (caused by certify)' } },
    'rate-limit': {
      ...{ status: 429, headers: limits },
      body: { success: false, message: 'Too many requests (caused by certify)', window: 'minute' },
    },
    refused: {
      status: 400,
      body: { success: false, errors: [{ path: 'parcelDetails.weight', message: 'Refused (caused by certify)' }] },
    },
    conflict: {
      status: 409,
      body: { success: false, error: 'IDEMPOTENCY_KEY_CONFLICT', message: 'Key in use (caused by certify)' },
    },
  };
  const { status, headers, body } = answers[fault];
  attempt.status = status;
  if (fault === 'rate-limit') attempt.notBefore = reset * 1_000;
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
