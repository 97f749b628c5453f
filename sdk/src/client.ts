import { type CreateManyOptions, type CreateManyResult, createMany } from './create-many.ts';
import { NavetteError } from './errors.ts';
import type * as api from './generated/api-types.ts';
import { idempotencyKeyFor, type OrderKey } from './idempotency-key.ts';
import { type ReconcileOptions, type ReconcileResult, reconcile } from './reconcile.ts';
import { ShipmentList } from './shipment-list.ts';
import { splitDocuments } from './split-documents.ts';
import { type CallOptions, type NavetteOptions, type Operation, Transport } from './transport.ts';

export interface CreateOptions extends CallOptions {
  /**
   * A key that you have stored, or the order from which to derive it. A random one by default: it protects the retries
   * of this call, but not a second call after a crash.
   */
  idempotencyKey?: string | OrderKey | undefined;
}

export interface CreatedShipment {
  shipment: api.Shipment;
  /** The key had already created this shipment; nothing was charged again. */
  replayed: boolean;
  idempotencyKey: string;
}

export type ListFilters = Omit<api.Queries['listShipments'], 'page'>;
export type LabelSelection = { shipmentIds: string[] } | { filters: api.Bodies['exportLabels']['filters'] };

const at = (path: string, id: string, rest = '') => `${path}/${encodeURIComponent(id)}${rest}`;

/** Operations may be sent twice, except the batch, and creating or deleting a webhook. */
const operation = (name: string, method: Operation['method'], path: string, body?: unknown): Operation => ({
  name,
  method,
  path,
  body,
  isIdempotent: true,
});

/** The merchant API. One instance may be shared by all requests of a process. */
export class Navette {
  readonly #transport: Transport;

  constructor(options: NavetteOptions) {
    this.#transport = new Transport(options);
  }

  readonly shipments = {
    /** Creates one shipment. Safe to retry: it always has an idempotency key. */
    create: async (request: api.ShipmentRequest, options: CreateOptions = {}): Promise<CreatedShipment> => {
      const given = options.idempotencyKey;
      const key = typeof given === 'object' ? await this.idempotencyKeyFor(given) : (given ?? crypto.randomUUID());
      if (!key.trim()) throw new TypeError('Navette: the idempotency key is blank'); // the service would ignore it
      const more = { headers: { 'x-idempotency-key': key }, mayFailAs400: true };
      try {
        const answer = await this.#call('createShipment', 'POST', '/shipping', options, request, more);
        return { shipment: answer.shipping, replayed: 'idempotent' in answer, idempotencyKey: key };
      } catch (error) {
        if (error instanceof NavetteError) error.idempotencyKey = key;
        throw error;
      }
    },

    /** Creates many in few requests. Safe to repeat with the same `batchId`, though the batch has no idempotency key. */
    createMany: (requests: readonly api.ShipmentRequest[], options: CreateManyOptions): Promise<CreateManyResult> => {
      const more = { isIdempotent: false, isBatch: true };
      const batch = {
        send: (shippings: api.ShipmentRequest[]) =>
          this.#call('createBatch', 'POST', '/shipping/batch', options, { shippings }, more),
        listGroup: (groupReference: string) => this.shipments.list({ groupReference, limit: 100 }, options),
      };
      return createMany(batch, requests, options);
    },

    get: async (id: string, options?: CallOptions): Promise<api.ShipmentDocument> =>
      (await this.#call('getShipment', 'GET', at('/shipping', id), options)).shipping,

    getByReference: async (referenceNumber: string, options?: CallOptions): Promise<api.ShipmentDocument> => {
      const path = at('/shipping/reference', referenceNumber);
      return (await this.#call('getShipmentByReference', 'GET', path, options)).shipping;
    },

    track: async (referenceNumber: string, options?: CallOptions): Promise<api.Tracking> =>
      (await this.#call('trackShipment', 'GET', at('/shipping/tracking', referenceNumber), options)).tracking,

    /** Newest first: `for await (const shipment of navette.shipments.list({ status: 'delivered' }))`. */
    list: (filters: ListFilters = {}, options?: CallOptions): ShipmentList =>
      new ShipmentList((cursor) => {
        const query = { ...filters, cursor };
        return this.#call('listShipments', 'GET', '/shipping', options, undefined, { query });
      }, filters.cursor),

    /** All shipments of the account in one streamed response. Reads one at a time; cannot be resumed. */
    export: (options?: CallOptions): AsyncGenerator<api.ShipmentDocument> =>
      splitDocuments(this.#transport.text(operation('exportShipments', 'GET', '/shipping/labels'), options)),

    /** Cancelling again changes nothing. */
    cancel: async (id: string, body: api.Bodies['cancelShipment'] = {}, options?: CallOptions): Promise<api.Shipment> =>
      (await this.#call('cancelShipment', 'PUT', at('/shipping', id, '/cancel'), options, body)).shipping,

    stats: async (options?: CallOptions): Promise<api.Stats> =>
      (await this.#call('getStats', 'GET', '/shipping/stats', options)).stats,
  };

  readonly labels = {
    /** The label as PDF. The link is called without the key. */
    pdf: async (shipmentId: string, options?: CallOptions): Promise<Uint8Array> => {
      const { downloadUrl } = await this.labels.downloadLink(shipmentId, options);
      return this.#transport.bytes(operation('downloadLabel', 'GET', downloadUrl), options);
    },

    /** Anyone with the link can see the recipient's address. */
    downloadLink: (shipmentId: string, options?: CallOptions): Promise<api.Answers['createDownloadLink']> =>
      this.#call('createDownloadLink', 'POST', at('/shipping', shipmentId, '/download-link'), options),

    viewLink: (shipmentId: string, options?: CallOptions): Promise<api.Answers['createViewLink']> =>
      this.#call('createViewLink', 'POST', at('/shipping', shipmentId, '/view-link'), options),

    /** Up to 1,000 labels as one PDF. */
    export: (selection: LabelSelection, options?: CallOptions): Promise<Uint8Array> => {
      const body =
        'shipmentIds' in selection
          ? { scope: 'selected', shippingIds: selection.shipmentIds }
          : { scope: 'filtered', filters: selection.filters };
      return this.#transport.bytes(operation('exportLabels', 'POST', '/shipping/pdf/export', body), options);
    },
  };

  readonly rates = {
    /** The price that a creation would charge. */
    quote: async (request: api.RateRequest, options?: CallOptions): Promise<api.Rate> =>
      (await this.#call('quoteRate', 'POST', '/rates', options, request, { mayFailAs400: true })).rate,
  };

  readonly account = {
    get: async (options?: CallOptions): Promise<api.Account> =>
      (await this.#call('getAccount', 'GET', '/account', options)).account,

    /** Replaces the whole address. Without coordinates it is geocoded: check `location`. */
    setPickupAddress: async (address: api.PickupAddressInput, options?: CallOptions): Promise<api.PickupAddress> =>
      (await this.#call('setPickupAddress', 'PUT', '/shipping/pickup-address', options, address)).pickupAddress,

    /** Checks the key and the client id. */
    testCredentials: (options?: CallOptions): Promise<api.Answers['testCredentials']> =>
      this.#call('testCredentials', 'GET', '/shipping/auth/test', options),
  };

  readonly webhooks = {
    list: async (options?: CallOptions): Promise<api.Webhook[]> =>
      (await this.#call('listWebhooks', 'GET', '/webhooks', options)).webhooks,

    /** Not retried after a lost response, because an account has one webhook per URL: look it up with `list()`. */
    create: async (body: api.Bodies['createWebhook'], options?: CallOptions): Promise<api.Webhook> =>
      (await this.#call('createWebhook', 'POST', '/webhooks', options, body, { isIdempotent: false })).webhook,

    update: async (id: string, body: api.Bodies['updateWebhook'], options?: CallOptions): Promise<api.Webhook> =>
      (await this.#call('updateWebhook', 'PUT', at('/webhooks', id), options, body)).webhook,

    /** Needs the scope `delete`. `update(id, { isActive: false })` pauses it with the scope `write`. */
    delete: async (id: string, options?: CallOptions): Promise<void> => {
      await this.#call('deleteWebhook', 'DELETE', at('/webhooks', id), options, undefined, { isIdempotent: false });
    },
  };

  /** The idempotency key of an order: the same in every process, and different for every account. */
  idempotencyKeyFor(order: OrderKey): Promise<string> {
    return idempotencyKeyFor(this.#transport.clientId, order);
  }

  /** Finds changes whose event never arrived, and gives them to the handlers of `webhooks`. Run it every few minutes. */
  reconcile(options: ReconcileOptions): Promise<ReconcileResult> {
    const list = (query: ListFilters) => this.shipments.list(query, { signal: options.signal });
    return reconcile(list, () => Date.now() + this.#transport.clockSkewMs, options);
  }

  #call<Name extends keyof api.Answers>(
    name: Name,
    method: Operation['method'],
    path: string,
    options?: CallOptions,
    body?: unknown,
    more?: Partial<Operation>,
  ): Promise<api.Answers[Name]> {
    return this.#transport.json({ ...operation(name, method, path, body), ...more }, options);
  }
}
