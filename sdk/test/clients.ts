import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { WebhookEvent } from '../src/index.ts';
import {
  type CreateManyResult,
  Navette,
  NavetteError,
  type OrderKey,
  type ReconcileResult,
  receiveWebhooks,
  type Shipment,
  type ShipmentRequest,
  verifyWebhook,
  type WebhookEventName,
} from '../src/index.ts';

export interface Failure {
  slug: string;
  message: string;
  status: number | null;
  fields: Record<string, unknown>;
  fieldErrors: { path: string }[];
  remedy: string;
  requestId: string | null;
  isRetryable: boolean;
  idempotencyKey: string | null;
  attempts: number;
}

export interface Handled {
  event: WebhookEvent;
  origin: string;
}

/** The calls of the scenarios, which both clients pass. */
export interface ScenarioClient {
  create(
    request: ShipmentRequest,
    key?: string,
  ): Promise<{ shipment: Shipment; replayed: boolean; idempotencyKey: string }>;
  keyFor(order: OrderKey): Promise<string>;
  createMany(requests: ShipmentRequest[], batchId: string, settleMs: number): Promise<CreateManyResult>;
  quote(request: object): Promise<{ price: number }>;
  cancel(id: string): Promise<Shipment>;
  get(id: string): Promise<{ _id: string }>;
  collect(filters: object, stopAfter?: number): Promise<{ ids: string[]; cursor: string | null | undefined }>;
  exportIds(): Promise<string[]>;
  labelPdf(id: string): Promise<Buffer>;
  exportLabels(ids: string[]): Promise<Buffer>;
  createWebhook(body: object): Promise<{ secret: string }>;
  verify(headers: Record<string, string>, body: Buffer, secrets: string[]): Promise<WebhookEvent>;
  /** `failing`: the event whose handler throws. `store` names the directory or map of handled events. */
  reconcile(
    since: string,
    store: string,
    failing?: WebhookEventName,
  ): Promise<{ result: ReconcileResult; handled: Handled[] }>;
  /** Milliseconds before each retry of the last call; null after the last attempt. */
  waits(): (number | null)[];
  stop(): void;
}

export interface ClientSettings {
  url: string;
  apiKey: string;
  clientId: string;
  timeoutMs: number;
  deadlineMs?: number;
  retries: number;
  backoffMs: number;
}

const EVENTS: WebhookEventName[] = [
  'shipping.created',
  'shipping.assigned',
  'shipping.picked_up',
  'shipping.delivered',
  'shipping.cancelled',
];

export function typescriptClient(settings: ClientSettings): ScenarioClient {
  let waits: (number | null)[] = [];
  const navette = new Navette({ ...settings, onAttempt: ({ retryInMs }) => waits.push(retryInMs) });
  const stores = new Map<string, Set<string>>();
  const from =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    (...args: Args) => {
      waits = [];
      return call(...args);
    };
  return {
    create: from((request, idempotencyKey) => navette.shipments.create(request, { idempotencyKey })),
    keyFor: (order) => navette.idempotencyKeyFor(order),
    createMany: from((requests, batchId, settleMs) => navette.shipments.createMany(requests, { batchId, settleMs })),
    quote: from((request) => navette.rates.quote(request)),
    cancel: from((id) => navette.shipments.cancel(id)),
    get: from((id) => navette.shipments.get(id)),
    async collect(filters, stopAfter) {
      const list = navette.shipments.list(filters);
      const ids: string[] = [];
      for await (const { _id } of list) if (ids.push(_id) === stopAfter) break;
      return { ids, cursor: list.cursor };
    },
    async exportIds() {
      const ids: string[] = [];
      for await (const { _id } of navette.shipments.export()) ids.push(_id);
      return ids;
    },
    labelPdf: from(async (id) => Buffer.from(await navette.labels.pdf(id))),
    exportLabels: from(async (shipmentIds) => Buffer.from(await navette.labels.export({ shipmentIds }))),
    createWebhook: from((body) => navette.webhooks.create(body as Parameters<typeof navette.webhooks.create>[0])),
    verify: (headers, rawBody, secrets) => verifyWebhook({ headers, rawBody }, { secrets }),
    async reconcile(since, store, failing) {
      const handled: Handled[] = [];
      const handle = (event: WebhookEvent, { origin }: { origin: string }) => {
        if (event.event === failing) throw new Error('handler failed');
        handled.push({ event, origin });
      };
      const keys = stores.get(store) ?? new Set<string>();
      stores.set(store, keys);
      const webhooks = receiveWebhooks({
        secrets: 'unused',
        handlers: Object.fromEntries(EVENTS.map((name) => [name, handle])),
        store: {
          claim: (key) => !keys.has(key) && Boolean(keys.add(key)),
          done: () => {},
          release: (key) => keys.delete(key),
        },
        onError: () => {},
      });
      return { result: await navette.reconcile({ since, webhooks }), handled };
    },
    waits: () => waits,
    stop() {},
  };
}

/** Talks to a PHP process that runs bridge.php. */
export function phpClient({
  timeoutMs,
  deadlineMs = 120_000,
  backoffMs,
  retries,
  ...account
}: ClientSettings): ScenarioClient {
  const options = { timeout: timeoutMs / 1000, deadline: deadlineMs / 1000, backoff: backoffMs / 1000, retries };
  const bridge = new URL('bridge.php', import.meta.url).pathname;
  const php = spawn('php', [bridge, JSON.stringify({ ...account, options })], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: php.stdout })[Symbol.asyncIterator]();
  let waits: (number | null)[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: the bridge returns what the interface above declares
  const call = async (method: string, ...args: unknown[]): Promise<any> => {
    php.stdin.write(`${JSON.stringify({ method, args })}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error('the PHP process has ended');
    const answer = JSON.parse(value) as { result?: unknown; error?: Failure; crash?: string; waits: (number | null)[] };
    waits = answer.waits;
    if (answer.crash) throw new Error(answer.crash);
    if (!answer.error) return answer.result;
    const { slug, message, attempts, idempotencyKey, fieldErrors: _, ...details } = answer.error;
    throw Object.assign(new NavetteError(slug, message, details), { attempts, idempotencyKey });
  };
  const bytes = async (method: string, ...args: unknown[]) => Buffer.from(await call(method, ...args), 'base64');
  return {
    create: (request, key) => call('createShipment', request, key ?? null),
    keyFor: ({ orderId, shopDomain = '', parcel = 1 }) => call('idempotencyKeyFor', orderId, shopDomain, parcel),
    createMany: (requests, batchId, settleMs) => call('createMany', requests, batchId, settleMs / 1000),
    quote: (request) => call('quote', request),
    cancel: (id) => call('cancelShipment', id),
    get: (id) => call('getShipment', id),
    collect: (filters, stopAfter) => call('collect', filters, stopAfter ?? null),
    exportIds: () => call('exportIds'),
    labelPdf: (id) => bytes('labelPdf', id),
    exportLabels: (ids) => bytes('exportLabels', ids),
    createWebhook: (body) => call('createWebhook', body),
    verify: (headers, body, secrets) =>
      call(
        'verify',
        headers['x-service-timestamp'] ?? '',
        headers['x-service-signature'] ?? '',
        body.toString('base64'),
        secrets,
      ),
    reconcile: (since, store, failing) => call('reconcile', since, store, failing ?? null),
    waits: () => waits,
    stop: () => php.stdin.end(),
  };
}
