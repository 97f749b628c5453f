import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Requests to /ok since the last reset, and how long after its event each arrived. */
export interface WebhookReport {
  arrived: number;
  lastAt: number;
  p50Ms: number | null;
  p99Ms: number | null;
  mostMs: number | null;
}

export interface WebhookSink {
  url: string;
  process: ChildProcess;
  ask(what: 'report' | 'reset'): Promise<WebhookReport>;
}

/** The merchants' endpoints, in a process of their own: webhook-sink.ts. */
export async function startWebhookSink(): Promise<WebhookSink> {
  const file = fileURLToPath(new URL('./webhook-sink.ts', import.meta.url));
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const ask = async (what: string) => (await fetch(`${url}/${what}`)).json() as Promise<WebhookReport>;
  return { url, process: child, ask };
}
