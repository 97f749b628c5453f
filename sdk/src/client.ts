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

const get = (name: string, path: string, query?: object): Operation => ({
  name,
  method: 'GET',
  path,
  query,
  isIdempotent: true,
});
const at = (path: string, id: string, rest = '') => `${path}/${encodeURIComponent(id)}${rest}`;

/** The merchant API. One instance may be shared by all requests of a process. */
export class Navette {
  readonly #transport: Transport;

  constructor(options: NavetteOptions) {
    this.#transport = new Transport(options);
  }

  readonly shipments = {
    /** Creates one shipment. Safe to retry: it always has an idempotency key. */
    create: async (request: api.ShipmentRequest, options: CreateOptions = {}): Promise<CreatedShipment> => {
      const { idempotencyKey: given, ...call } = options;
      const key = typeof given === 'object' ? await this.idempotencyKeyFor(given) : (given ?? crypto.randomUUID());
      try {
        const answer = await this.#json<'createShipment'>(
          {
            name: 'createShipment',
            method: 'POST',
            path: '/shipping',
            body: request,
            headers: { 'x-idempotency-key': key },
            isIdempotent: true,
            mayFailAs400: true,
          },
          call,
        );
        return { shipment: answer.shipping, replayed: 'idempotent' in answer, idempotencyKey: key };
      } catch (error) {
        if (error instanceof NavetteError) error.idempotencyKey = key;
        throw error;
      }
    },

    /** Creates many in few requests. Safe to repeat with the same `batchId`, though the batch has no idempotency key. */
    createMany: (requests: readonly api.ShipmentRequest[], options: CreateManyOptions): Promise<CreateManyResult> => {
      const { batchId: _, settleMs: __, ...call } = options;
      return createMany(
        {
          send: (shippings) =>
            this.#json<'createBatch'>(
              {
                name: 'createBatch',
                method: 'POST',
                path: '/shipping/batch',
                body: { shippings },
                isIdempotent: false,
                alsoAccept: { status: 400, field: 'created' },
              },
              call,
            ),
          listGroup: (groupReference) => this.shipments.list({ groupReference, limit: 100 }, call),
        },
        requests,
        options,
      );
    },

    get: async (id: string, options?: CallOptions): Promise<api.ShipmentDocument> =>
      (await this.#json<'getShipment'>(get('getShipment', at('/shipping', id)), options)).shipping,

    getByReference: async (referenceNumber: string, options?: CallOptions): Promise<api.ShipmentDocument> => {
      const operation = get('getShipmentByReference', at('/shipping/reference', referenceNumber));
      return (await this.#json<'getShipmentByReference'>(operation, options)).shipping;
    },

    track: async (referenceNumber: string, options?: CallOptions): Promise<api.Tracking> => {
      const operation = get('trackShipment', at('/shipping/tracking', referenceNumber));
      return (await this.#json<'trackShipment'>(operation, options)).tracking;
    },

    /** Newest first: `for await (const shipment of navette.shipments.list({ status: 'delivered' }))`. */
    list: ({ cursor, ...filters }: ListFilters = {}, options?: CallOptions): ShipmentList =>
      new ShipmentList(
        (cursor) => this.#json<'listShipments'>(get('listShipments', '/shipping', { ...filters, cursor }), options),
        cursor,
      ),

    /** All shipments of the account in one streamed response. Reads one at a time; cannot be resumed. */
    export: (options?: CallOptions): AsyncGenerator<api.ShipmentDocument> =>
      splitDocuments(this.#transport.text(get('exportShipments', '/shipping/labels'), options)),

    /** Cancelling again changes nothing. */
    cancel: async (id: string, body: api.Bodies['cancelShipment'] = {}, options?: CallOptions): Promise<api.Shipment> => {
      const operation = { name: 'cancelShipment', path: at('/shipping', id, '/cancel'), body };
      return (await this.#json<'cancelShipment'>({ ...operation, method: 'PUT', isIdempotent: true }, options)).shipping;
    },

    stats: async (options?: CallOptions): Promise<api.Stats> =>
      (await this.#json<'getStats'>(get('getStats', '/shipping/stats'), options)).stats,
  };

  readonly labels = {
    /** The label as PDF. The link is called without the key. */
    pdf: async (shipmentId: string, options?: CallOptions): Promise<Uint8Array> => {
      const { downloadUrl } = await this.labels.downloadLink(shipmentId, options);
      return this.#transport.bytes(get('downloadLabel', downloadUrl), options);
    },

    /** Anyone with the link can see the recipient's address. */
    downloadLink: (shipmentId: string, options?: CallOptions): Promise<api.Answers['createDownloadLink']> =>
      this.#json<'createDownloadLink'>(this.#post('createDownloadLink', at('/shipping', shipmentId, '/download-link')), options),

    viewLink: (shipmentId: string, options?: CallOptions): Promise<api.Answers['createViewLink']> =>
      this.#json<'createViewLink'>(this.#post('createViewLink', at('/shipping', shipmentId, '/view-link')), options),

    /** Up to 1,000 labels as one PDF. */
    export: (selection: LabelSelection, options?: CallOptions): Promise<Uint8Array> => {
      const body =
        'shipmentIds' in selection
          ? { scope: 'selected', shippingIds: selection.shipmentIds }
          : { scope: 'filtered', filters: selection.filters };
      return this.#transport.bytes(this.#post('exportLabels', '/shipping/pdf/export', body), options);
    },
  };

  readonly rates = {
    /** The price that a creation would charge. */
    quote: async (request: api.RateRequest, options?: CallOptions): Promise<api.Rate> => {
      const operation = { ...this.#post('quoteRate', '/rates', request), mayFailAs400: true };
      return (await this.#json<'quoteRate'>(operation, options)).rate;
    },
  };

  readonly account = {
    get: async (options?: CallOptions): Promise<api.Account> =>
      (await this.#json<'getAccount'>(get('getAccount', '/account'), options)).account,

    /** Replaces the whole address. Without coordinates it is geocoded: check `location`. */
    setPickupAddress: async (body: api.PickupAddressInput, options?: CallOptions): Promise<api.PickupAddress> => {
      const operation = { name: 'setPickupAddress', path: '/shipping/pickup-address', body };
      const answer = await this.#json<'setPickupAddress'>({ ...operation, method: 'PUT', isIdempotent: true }, options);
      return answer.pickupAddress;
    },

    /** Checks the key and the client id. */
    testCredentials: (options?: CallOptions): Promise<api.Answers['testCredentials']> =>
      this.#json<'testCredentials'>(get('testCredentials', '/shipping/auth/test'), options),
  };

  readonly webhooks = {
    list: async (options?: CallOptions): Promise<api.Webhook[]> =>
      (await this.#json<'listWebhooks'>(get('listWebhooks', '/webhooks'), options)).webhooks,

    /** Not retried after a lost response, because an account has one webhook per URL: look it up with `list()`. */
    create: async (body: api.Bodies['createWebhook'], options?: CallOptions): Promise<api.Webhook> => {
      const operation = { ...this.#post('createWebhook', '/webhooks', body), isIdempotent: false };
      return (await this.#json<'createWebhook'>(operation, options)).webhook;
    },

    update: async (id: string, body: api.Bodies['updateWebhook'], options?: CallOptions): Promise<api.Webhook> => {
      const operation = { name: 'updateWebhook', path: at('/webhooks', id), body };
      return (await this.#json<'updateWebhook'>({ ...operation, method: 'PUT', isIdempotent: true }, options)).webhook;
    },

    /** Needs the scope `delete`. `update(id, { isActive: false })` pauses it with the scope `write`. */
    delete: async (id: string, options?: CallOptions): Promise<void> => {
      const operation = { name: 'deleteWebhook', path: at('/webhooks', id), isIdempotent: false };
      await this.#json<'deleteWebhook'>({ ...operation, method: 'DELETE' }, options);
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

  /** A POST that may be sent twice, as all of the API are except the batch and the creation of a webhook. */
  #post(name: string, path: string, body?: unknown): Operation {
    return { name, method: 'POST', path, body, isIdempotent: true };
  }

  #json<Name extends keyof api.Answers>(operation: Operation, options?: CallOptions): Promise<api.Answers[Name]> {
    return this.#transport.json(operation, options);
  }
}
