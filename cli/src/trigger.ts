import { Navette } from '../../sdk/src/client.ts';
import type { Bodies, ShipmentRequest, WebhookEventName } from '../../sdk/src/generated/api-types.ts';
import { createApi } from './api.ts';
import { explained, wrongCall } from './failure.ts';
import { createOutput } from './output.ts';
import { type Options, readTestConnection } from './settings.ts';
import { WEBHOOK_EVENTS } from './webhook-events.ts';

type Status = Bodies['advanceTestShipment']['status'];

/** A shipment that reaches this status causes the event. */
const STATUS_OF: Partial<Record<WebhookEventName, Status>> = {
  'shipping.assigned': 'assigned',
  'shipping.picked_up': 'picked_up',
  'shipping.delivered': 'delivered',
};

const SHIPMENT: ShipmentRequest = {
  deliveryAddress: {
    recipientName: 'Camille Durand',
    street: '8 avenue de l’Opéra',
    city: 'Paris',
    postalCode: '75001',
    phoneNumber: '+33612345678',
    email: 'camille@example.org',
    coordinates: { latitude: 48.8638, longitude: 2.3345 },
  },
  parcelDetails: { weight: 2.5, nature: 'Test' },
};

export const triggerCommand = {
  name: 'trigger',
  positionals: ['<event>'],
  summary: 'Cause an event in test mode',
  details: `Creates a test shipment, and lets a robot courier carry it until the event happens. Earlier events of the shipment\nhappen, too. Events: ${WEBHOOK_EVENTS.join(', ')}.`,
  options: [
    { name: 'shipment', value: 'ID', description: 'use this shipment of the test account instead of a new one' },
    { name: 'order-id', value: 'TEXT', description: '`externalReference.orderId` of the new shipment' },
    { name: 'json', description: 'print one JSON object' },
  ],
  example: 'trigger shipping.delivered --order-id 2041',
  needsApi: true,
  async run({ options, positionals: [event = ''] }: { options: Options; positionals: string[] }) {
    if (!WEBHOOK_EVENTS.includes(event as WebhookEventName)) {
      throw wrongCall(`"${event}" is no event. The events are ${WEBHOOK_EVENTS.join(', ')}`);
    }
    const connection = readTestConnection(options);
    const navette = new Navette(connection);
    const given = typeof options.shipment === 'string' ? options.shipment : null;
    const id = given ?? (await explained(createShipment(navette, options)));
    await explained(cause(event as WebhookEventName, id));
    const { status, referenceNumber } = await explained(navette.shipments.get(id));
    const output = createOutput(options.json === true, (line) => process.stdout.write(`${line}\n`));
    output.print(
      { event, shipmentId: id, referenceNumber, status },
      `${event}: shipment ${id} (${referenceNumber}) is ${status}`,
    );
    return 0;

    async function cause(wanted: WebhookEventName, shipmentId: string): Promise<void> {
      const status = STATUS_OF[wanted];
      if (status) await createApi(connection).advance(shipmentId, { status });
      if (wanted === 'shipping.cancelled') await navette.shipments.cancel(shipmentId);
    }
  },
} as const;

async function createShipment(navette: Navette, options: Options): Promise<string> {
  const orderId = options['order-id'];
  const reference = typeof orderId === 'string' ? { externalReference: { orderId } } : {};
  return (await navette.shipments.create({ ...SHIPMENT, ...reference })).shipment._id;
}
