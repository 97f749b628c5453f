import type { EndpointAnswer, EndpointPart } from '../endpoint-shape.ts';
import { dispatchBoardEndpoints } from './dispatch.ts';
import { driverActEndpoints } from './driver-acts.ts';
import { driverPageEndpoints } from './drivers.ts';
import type { ConsoleEndpoint } from './endpoint.ts';
import { figureEndpoints } from './figures.ts';
import { inboxEndpoints } from './inbox.ts';
import { consoleInvoiceEndpoints } from './invoices.ts';
import { mapEndpoints } from './map.ts';
import { merchantActEndpoints } from './merchant-acts.ts';
import { merchantPageEndpoints } from './merchants.ts';
import { paymentEndpoints } from './payments.ts';
import { consoleProfileEndpoints } from './profile.ts';
import type { ConsoleEndpointName } from './routes.ts';
import { searchEndpoints } from './search.ts';
import { consoleSessionEndpoints } from './session.ts';
import { shipmentPageEndpoints } from './shipment-page.ts';
import { consoleShipmentEndpoints, merchantHelpEndpoints } from './shipments.ts';
import { staffEndpoints } from './staff.ts';
import { zoneEndpoints } from './zones.ts';

const define = <const T extends Record<ConsoleEndpointName, ConsoleEndpoint>>(endpoints: T) => endpoints;

export const CONSOLE_ENDPOINTS = define({
  ...consoleSessionEndpoints,
  ...consoleProfileEndpoints,
  ...staffEndpoints,
  ...searchEndpoints,
  ...inboxEndpoints,
  ...mapEndpoints,
  ...zoneEndpoints,
  ...figureEndpoints,
  ...shipmentPageEndpoints,
  ...consoleShipmentEndpoints,
  ...dispatchBoardEndpoints,
  ...merchantPageEndpoints,
  ...merchantActEndpoints,
  ...merchantHelpEndpoints,
  ...paymentEndpoints,
  ...consoleInvoiceEndpoints,
  ...driverPageEndpoints,
  ...driverActEndpoints,
});

type Endpoints = typeof CONSOLE_ENDPOINTS;

/** The schema of one part of a request, as a type; undefined where the endpoint has no such part. */
export type ConsolePart<
  N extends ConsoleEndpointName,
  P extends 'params' | 'query' | 'headers' | 'body',
> = EndpointPart<Endpoints[N], P>;

/** The body of the endpoint's successful responses. */
export type ConsoleAnswer<N extends ConsoleEndpointName> = EndpointAnswer<Endpoints[N]>;
