// Runs in every runtime: no type, no module of a runtime, nothing but the installed package.
import { Navette, NavetteError, receiveWebhooks } from '@navette/sdk';
import { signTestWebhook } from '@navette/sdk/testing';
import { verifyWebhook } from '@navette/sdk/webhooks';

const SECRET = 'navette_whsec_of_the_scenario';
const ORDERS = 6;
const PATIENT = { timeoutMs: 2_000, deadlineMs: 300_000, retries: 40, backoffMs: 1 };

/**
 * Uses the whole SDK over a connection that loses requests and responses. Throws at the first thing that is wrong, and
 * returns what must be the same in every runtime.
 */
export async function runScenario({ url, apiKey, clientId }) {
  const started = new Date();
  const navette = new Navette({ url, apiKey, clientId, ...PATIENT });

  const quote = await navette.rates.quote(shipment('0'));
  const created = await Promise.all(
    Array.from({ length: ORDERS }, (_, i) => navette.shipments.create(shipment(i), { idempotencyKey: { orderId: i } })),
  );
  const again = await navette.shipments.create(shipment(0), { idempotencyKey: { orderId: 0 } });
  check(again.replayed && again.shipment._id === created[0].shipment._id, 'a repeated creation returns the same');

  const batch = Array.from({ length: 4 }, (_, i) => shipment(`batch-${i}`));
  const many = () => navette.shipments.createMany(batch, { batchId: `batch of ${clientId}`, settleMs: 500 });
  await many();
  await many();

  const listed = [];
  for await (const { _id } of navette.shipments.list({ limit: 3 })) listed.push(_id);
  check(new Set(listed).size === ORDERS + batch.length && listed.length === new Set(listed).size, 'lists each once');
  const exported = await untilNoCut(async () => {
    const ids = [];
    for await (const { _id } of navette.shipments.export()) ids.push(_id);
    return ids;
  });
  check(String(exported) === String(listed), 'the export has what the list has');
  const label = await navette.labels.pdf(listed[0]);
  check(new TextDecoder().decode(label.slice(0, 5)) === '%PDF-', 'a label is a PDF file');

  await navette.shipments.cancel(listed[0]);
  const missing = await failureOf(navette.shipments.get('00000000-0000-7000-8000-000000000000'));
  check(
    missing.slug === 'not_found' && missing.status === 404 && missing.requestId,
    'an error has slug and request id',
  );
  const invalid = await failureOf(navette.shipments.create({ ...shipment('x'), parcelDetails: { weight: -1 } }));
  check(invalid.fieldErrors.length > 0, 'an invalid field is named');

  await checkWebhooks();
  const handled = [];
  const webhooks = receiveWebhooks({
    secrets: SECRET,
    handlers: { 'shipping.cancelled': ({ data }) => handled.push(data.id) },
    onError: fail,
  });
  const since = new Date(started.getTime() - 60_000);
  await navette.reconcile({ since, webhooks });
  await navette.reconcile({ since, webhooks });
  check(handled.length === 1 && handled[0] === listed[0], 'reconcile hands the cancellation over, once');

  return {
    price: quote.price,
    shipments: listed.length,
    key: await new Navette({ url, apiKey, clientId: 'nvc_fixed' }).idempotencyKeyFor({ orderId: 'é/#1', parcel: 2 }),
  };
}

async function checkWebhooks() {
  const seen = [];
  const refused = [];
  const webhooks = receiveWebhooks({
    secrets: ['an-older-secret', SECRET],
    handlers: { 'shipping.delivered': ({ data }) => seen.push(data.id) },
    onError: ({ slug }) => refused.push(slug),
  });
  const { headers, body, event } = await signTestWebhook({ secret: SECRET });
  const post = (sent) => new Request('http://shop.example/navette', { method: 'POST', headers, body: sent });
  const statuses = [];
  for (const sent of [body, body, `${body} `]) statuses.push((await webhooks.fetch(post(sent))).status);
  await webhooks.idle();
  check(String(statuses) === '200,200,401', `a receiver accepts a signed body only: ${statuses.join()}`);
  check(String(refused) === 'webhook_signature', `a changed body is reported: ${refused.join()}`);
  check(seen.length === 1 && seen[0] === event.data.id, 'a doubled event is handled once');
  const verified = await verifyWebhook(post(body), { secrets: SECRET });
  check(verified.data.id === event.data.id, 'a request of fetch is verified');
  const old = await signTestWebhook({ secret: SECRET, signedAt: new Date(Date.now() - 3_600_000) });
  const expired = await failureOf(verifyWebhook({ headers: old.headers, rawBody: old.body }, { secrets: SECRET }));
  check(expired.slug === 'webhook_expired', 'an old signature is refused');
}

const shipment = (order) => ({
  deliveryAddress: {
    recipientName: 'Camille Durand',
    street: '8 avenue de l’Opéra',
    city: 'Paris',
    postalCode: '75001',
    phoneNumber: '+33612345678',
    email: 'camille@example.org',
    coordinates: { latitude: 48.8638, longitude: 2.3345 },
  },
  parcelDetails: { weight: 2.5, nature: 'Vêtements' },
  externalReference: { orderId: `order-${order}` },
});

function check(holds, what) {
  if (!holds) fail(new Error(`not so: ${what}`));
}

function fail(error) {
  throw error;
}

async function failureOf(call) {
  const error = await call.then(
    () => new Error('the call succeeded'),
    (failure) => failure,
  );
  check(error instanceof NavetteError, `an error of the package, not ${error}`);
  return error;
}

/** A stream that was cut cannot go on; the caller starts it again. */
async function untilNoCut(read) {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!error.isRetryable) throw error;
    }
  }
}
