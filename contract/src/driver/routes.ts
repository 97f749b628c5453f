import type { DriverRoute } from './call-types.ts';
import type { DriverEndpointName } from './endpoints.ts';

/** The prefix of every path in this table. */
export const DRIVER_BASE_PATH = '/driver/api/v1';
/** The path of Socket.IO, on the same host and port. */
export const DRIVER_SOCKET_PATH = '/driver/socket.io';

/** Method and path of every driver endpoint. In a file without the schema library, so that the app does not bundle it. */
export const DRIVER_ROUTES = {
  createSession: 'POST /session',
  readSession: 'GET /session',
  closeSession: 'DELETE /session',
  listSessions: 'GET /sessions',
  endSession: 'DELETE /sessions/:id',
  endOtherSessions: 'DELETE /sessions',
  setAvailability: 'PUT /availability',
  sendPosition: 'PUT /position',
  listOffers: 'GET /offers',
  acceptOffer: 'POST /offers/:id/accept',
  refuseOffer: 'POST /offers/:id/refuse',
  listShipments: 'GET /shippings',
  readShipment: 'GET /shippings/:id',
  listEndedShipments: 'GET /history',
  pickUp: 'POST /shippings/:id/pickup',
  depart: 'POST /shippings/:id/depart',
  deliver: 'POST /shippings/:id/deliver',
  abandon: 'POST /shippings/:id/abandon',
  reportIncident: 'POST /shippings/:id/incidents',
  addProof: 'POST /shippings/:id/proofs',
  readProof: 'GET /proofs/:id',
  readEarnings: 'GET /earnings',
  readStatementPdf: 'GET /earnings/:month/statement.pdf',
  readStatementCsv: 'GET /earnings/:month/statement.csv',
  savePushSubscription: 'PUT /push-subscription',
  removePushSubscription: 'DELETE /push-subscription',
  requestPasswordLink: 'POST /password-links',
  readPasswordLink: 'POST /password-links/read',
  usePasswordLink: 'POST /password-links/use',
} as const;

/** Fails to compile when an endpoint has no row here, or a row differs from its endpoint. */
type Checked<Rows extends { [N in DriverEndpointName]: DriverRoute<N> }> = keyof Rows;
export type DriverRouteName = Checked<typeof DRIVER_ROUTES>;
