import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * `cut-before`: the request does not reach the service. `cut-after`: it does, but the response is lost. `cut-body`: half
 * of the response arrives. `hang`: the service has answered, the client never gets it. `html`: an error page instead of
 * the service's answer. `html-ok`: the same with status 200. `late`: the response arrives, after a while. `cut-early`: the
 * client loses its connection first, and the service gets the request afterwards.
 */
export type Fault = NamedFault | ForeignAnswer;
type NamedFault = 'cut-early' | 'cut-before' | 'cut-after' | 'cut-body' | 'hang' | 'html' | 'html-ok' | 'late';
const FAULTS: NamedFault[] = ['cut-before', 'cut-after', 'cut-body', 'hang', 'html', 'html-ok', 'late'];

/** Sent instead of the service's answer, which is not asked. */
interface ForeignAnswer {
  status: number;
  headers?: Record<string, string>;
  body: object;
}

const PAGE = '<!doctype html><title>Service unavailable</title>';
const LATE_MS = 50;
const EARLY_MS = 500; // the client looks for the shipments meanwhile, and finds none

export interface FaultProxy {
  url: string;
  /** Requests that reached the proxy, with their fault. */
  seen: { path: string; fault: Fault | null }[];
  stop(): Promise<void>;
}

/** A proxy in front of the service. `chooseFault` decides for each request what goes wrong with it. */
export async function startFaultProxy(
  target: string,
  chooseFault: (path: string, method: string) => Fault | null,
): Promise<FaultProxy> {
  const seen: FaultProxy['seen'] = [];
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  });

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url ?? '';
    const fault = chooseFault(path, incoming.method ?? '');
    seen.push({ path, fault });
    const body = await buffer(incoming);
    if (fault === 'cut-before') return void response.destroy();
    if (typeof fault === 'object' && fault !== null) {
      const headers = { 'content-type': 'application/json', ...fault.headers };
      response.writeHead(fault.status, headers).end(JSON.stringify(fault.body));
      return;
    }
    if (fault === 'cut-early') {
      response.destroy();
      await new Promise((resume) => setTimeout(resume, EARLY_MS));
    }
    const answer = await send(incoming, path, body);
    switch (fault) {
      case 'cut-early':
      case 'cut-after':
        return void response.destroy();
      case 'hang':
        return; // until the client gives up
      case 'html':
      case 'html-ok':
        response.writeHead(fault === 'html' ? 502 : 200, { 'content-type': 'text/html' }).end(PAGE);
        return;
      case 'cut-body':
        response.writeHead(answer.status, { ...answer.headers, 'content-length': String(answer.body.length) });
        response.write(answer.body.subarray(0, answer.body.length / 2), () => response.destroy());
        return;
      case 'late':
        await new Promise((resume) => setTimeout(resume, LATE_MS));
    }
    response.writeHead(answer.status, { ...answer.headers, 'content-length': String(answer.body.length) });
    response.end(answer.body);
  }

  async function send({ method = '', headers }: IncomingMessage, path: string, body: Buffer) {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      forward(`${target}${path}`, { method, headers }, resolve).on('error', reject).end(body);
    });
    const kept = ['content-type', 'date', 'x-request-id', 'x-ratelimit-reset'];
    const passed = kept.flatMap((name) => (answer.headers[name] ? [[name, String(answer.headers[name])]] : []));
    return {
      status: answer.statusCode ?? 0,
      headers: Object.fromEntries(passed) as Record<string, string>,
      body: await buffer(answer),
    };
  }

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    async stop() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The same sequence of numbers in [0, 1) for the same seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A fault for this share of all requests, and rarely one that costs the client its time limit. */
export function seededFaults(seed: number, share: number): () => Fault | null {
  const random = seededRandom(seed);
  return () => {
    if (random() >= share) return null;
    const fault = FAULTS[Math.floor(random() * FAULTS.length)] ?? null;
    return fault === 'hang' && random() < 0.8 ? 'cut-after' : fault;
  };
}
