/** Sends requests as fast as responses arrive, in its own thread so that it does not delay the measurement. */
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import type { Flood } from './flood.ts';

const { url, clients, requests } = workerData as Flood;
const agent = new Agent({ keepAlive: true, maxSockets: clients });
const statuses: Record<string, number> = {};
let flooding = true;
let sent = 0;
parentPort?.once('message', () => {
  flooding = false;
  agent.destroy(); // aborts pending requests, as disconnecting clients do
  parentPort?.postMessage(statuses);
});

function send({ path, method = 'GET', headers = {}, body }: Flood['requests'][number]): Promise<string> {
  return new Promise((resolve) => {
    const call = request(new URL(path, url), { agent, method, headers }, (answer) => {
      answer.resume().once('end', () => resolve(String(answer.statusCode)));
      answer.once('error', () => resolve('broken'));
    });
    call.once('error', () => resolve('broken'));
    call.once('finish', () => {
      if (++sent === clients) parentPort?.postMessage('flooding'); // every client has a pending request
    });
    call.end(body);
  });
}

async function flood(): Promise<void> {
  while (flooding) {
    for (const next of requests) {
      const status = await send(next);
      if (flooding) statuses[status] = (statuses[status] ?? 0) + 1;
    }
  }
}

for (let client = 0; client < clients; client++) void flood();
