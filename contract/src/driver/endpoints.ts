import type { EndpointShape } from '../endpoint-shape.ts';
import type { Method } from '../scopes.ts';
import * as earnings from './earnings.ts';
import type { DriverErrorSlug } from './errors.ts';
import * as passwordLinks from './password-links.ts';
import { MAX_PROOF_BASE64_CHARACTERS } from './proofs.ts';
import { PushSubscriptionRequest } from './push-subscription.ts';
import * as schemas from './schemas.ts';

const PROOF_BODY_LIMIT_BYTES = MAX_PROOF_BASE64_CHARACTERS + 8 * 1024;

/**
 * A command of the driver app. Over HTTP it has a method and a path. Over the real-time channel it is an event with the
 * endpoint's name, one object with the fields of path and body, and an acknowledgement `{status, body}`.
 */
export interface DriverEndpoint extends EndpointShape {
  method: Method;
  path: string;
  section: 'Session' | 'Offers' | 'Runs' | 'Earnings';
  refusals?: readonly DriverErrorSlug[];
  /** Served without a token, and over HTTP only: it issues the token. */
  open?: true;
  /** Not a command of the real-time channel, because its request or response is a file. */
  httpOnly?: true;
}

const define = <const T extends Record<string, DriverEndpoint>>(endpoints: T) => endpoints;

export const DRIVER_ENDPOINTS = define({
  createSession: {
    method: 'POST',
    path: '/session',
    section: 'Session',
    summary: 'Sign in',
    description: 'A session ends 30 days after its last use, and 180 days after it was opened.',
    body: schemas.SessionRequest,
    answers: { 201: schemas.NewSessionAnswer },
    refusals: ['WRONG_CREDENTIALS'],
    open: true,
  },
  readSession: {
    method: 'GET',
    path: '/session',
    section: 'Session',
    summary: 'Read the signed-in driver',
    answers: { 200: schemas.SessionAnswer },
  },
  closeSession: {
    method: 'DELETE',
    path: '/session',
    section: 'Session',
    summary: 'Sign out and revoke the token',
    answers: { 200: schemas.DoneAnswer },
  },
  listSessions: {
    method: 'GET',
    path: '/sessions',
    section: 'Session',
    summary: 'List this driver’s sessions, most recently used first',
    answers: { 200: schemas.SessionsAnswer },
  },
  endSession: {
    method: 'DELETE',
    path: '/sessions/:id',
    section: 'Session',
    summary: 'Sign out one device',
    description: 'Its token is refused and its sockets close within a second.',
    params: schemas.SessionParams,
    answers: { 200: schemas.DoneAnswer },
    findsOne: true,
  },
  endOtherSessions: {
    method: 'DELETE',
    path: '/sessions',
    section: 'Session',
    summary: 'Sign out all other devices',
    answers: { 200: schemas.DoneAnswer },
  },
  requestPasswordLink: {
    method: 'POST',
    path: '/password-links',
    section: 'Session',
    summary: 'Request an e-mail with a link to set a new password',
    description:
      'The response is the same for unknown addresses. At most five e-mails an hour are sent to one address.',
    body: passwordLinks.PasswordLinkRequest,
    answers: { 200: schemas.DoneAnswer },
    open: true,
  },
  readPasswordLink: {
    method: 'POST',
    path: '/password-links/read',
    section: 'Session',
    summary: 'Read whom a link is for',
    description: 'The link `/driver/welcome#TOKEN` is sent by SMS or e-mail. Reading does not use it up.',
    body: passwordLinks.ReadPasswordLinkRequest,
    answers: { 200: passwordLinks.PasswordLinkAnswer },
    refusals: ['LINK_INVALID'],
    open: true,
  },
  usePasswordLink: {
    method: 'POST',
    path: '/password-links/use',
    section: 'Session',
    summary: 'Set the password with a link, and sign in',
    description: 'Works once. After a reset, all other sessions of the driver end.',
    body: passwordLinks.UsePasswordLinkRequest,
    answers: { 201: schemas.NewSessionAnswer },
    refusals: ['LINK_INVALID', 'WEAK_PASSWORD'],
    open: true,
  },
  savePushSubscription: {
    method: 'PUT',
    path: '/push-subscription',
    section: 'Session',
    summary: 'Receive push messages on this device while the app is closed',
    description:
      'Subscribe with `pushKey` of `readSession`. One subscription per session; it ends with the session. A message is JSON: `type` (`offer`, `changed` or `withdrawn`), `shippingId`, `referenceNumber`, and the French texts `title` and `body`.',
    body: PushSubscriptionRequest,
    answers: { 200: schemas.DoneAnswer },
    refusals: ['PUSH_REFUSED'],
  },
  removePushSubscription: {
    method: 'DELETE',
    path: '/push-subscription',
    section: 'Session',
    summary: 'Stop push messages to this device',
    answers: { 200: schemas.DoneAnswer },
  },
  setAvailability: {
    method: 'PUT',
    path: '/availability',
    section: 'Session',
    summary: 'Start or stop taking new runs',
    description: 'The driver keeps the current runs. Send positions as long as there are any.',
    body: schemas.AvailabilityRequest,
    answers: { 200: schemas.SessionAnswer },
    refusals: ['COMMAND_ID_REUSED'],
  },
  sendPosition: {
    method: 'PUT',
    path: '/position',
    section: 'Session',
    summary: 'Send the driver’s position',
    description: 'Send it every few seconds while moving, and at least once a minute while waiting for runs.',
    body: schemas.PositionRequest,
    answers: { 200: schemas.PositionAnswer },
  },
  listOffers: {
    method: 'GET',
    path: '/offers',
    section: 'Offers',
    summary: 'List the open offers of this driver, next to expire first',
    description:
      'Contains what a driver needs to decide: towns, postal codes, distances, weight. `acceptOffer` returns the recipient, the exact addresses and the notes.',
    answers: { 200: schemas.OffersAnswer },
  },
  acceptOffer: {
    method: 'POST',
    path: '/offers/:id/accept',
    section: 'Offers',
    summary: 'Accept an offered run; the first driver to accept gets it',
    description: 'Returns 200 again when the driver who has the run repeats it.',
    params: schemas.ShipmentParams,
    body: schemas.CommandRequest,
    answers: { 200: schemas.ShipmentAnswer },
    refusals: ['OFFER_GONE', 'TOO_MANY_RUNS', 'COMMAND_ID_REUSED'],
    findsOne: true,
  },
  refuseOffer: {
    method: 'POST',
    path: '/offers/:id/refuse',
    section: 'Offers',
    summary: 'Refuse an offered run; it is not offered to this driver again',
    params: schemas.ShipmentParams,
    body: schemas.CommandRequest,
    answers: { 200: schemas.DoneAnswer },
    refusals: ['OFFER_GONE', 'COMMAND_ID_REUSED'],
    findsOne: true,
  },
  listShipments: {
    method: 'GET',
    path: '/shippings',
    section: 'Runs',
    summary: 'List the driver’s runs, oldest assignment first',
    answers: { 200: schemas.ShipmentsAnswer },
  },
  readShipment: {
    method: 'GET',
    path: '/shippings/:id',
    section: 'Runs',
    summary: 'Read one of the driver’s runs',
    params: schemas.ShipmentParams,
    answers: { 200: schemas.ShipmentAnswer },
    findsOne: true,
  },
  listEndedShipments: {
    method: 'GET',
    path: '/history',
    section: 'Runs',
    summary: 'List the runs of this driver that have ended, last ended first',
    query: schemas.HistoryQuery,
    answers: { 200: schemas.HistoryAnswer },
  },
  pickUp: {
    method: 'POST',
    path: '/shippings/:id/pickup',
    section: 'Runs',
    summary: 'Confirm that the driver has picked the parcel up',
    params: schemas.ShipmentParams,
    body: schemas.PickupRequest,
    answers: { 200: schemas.ShipmentAnswer },
    refusals: ['NOT_ALLOWED_NOW', 'PICKUP_TOKEN_REQUIRED', 'WRONG_PICKUP_TOKEN', 'COMMAND_ID_REUSED'],
    findsOne: true,
  },
  depart: {
    method: 'POST',
    path: '/shippings/:id/depart',
    section: 'Runs',
    summary: 'Confirm that the driver has departed with the parcel',
    params: schemas.ShipmentParams,
    body: schemas.CommandRequest,
    answers: { 200: schemas.ShipmentAnswer },
    refusals: ['NOT_ALLOWED_NOW', 'COMMAND_ID_REUSED'],
    findsOne: true,
  },
  deliver: {
    method: 'POST',
    path: '/shippings/:id/deliver',
    section: 'Runs',
    summary: 'Confirm the delivery with the recipient’s code or QR code',
    description:
      'A wrong code that was typed without network (`doneAt` is more than a minute old) also opens an incident, so that the operator can act.',
    params: schemas.ShipmentParams,
    body: schemas.DeliverRequest,
    answers: { 200: schemas.ShipmentAnswer },
    refusals: [
      'NOT_ALLOWED_NOW',
      'DELIVERY_CODE_REQUIRED',
      'WRONG_DELIVERY_CODE',
      'WRONG_DELIVERY_QR',
      'DELIVERY_CODE_LOCKED',
      'COMMAND_ID_REUSED',
    ],
    findsOne: true,
  },
  abandon: {
    method: 'POST',
    path: '/shippings/:id/abandon',
    section: 'Runs',
    summary: 'Give a run back before the pickup; the search for another driver starts',
    params: schemas.ShipmentParams,
    body: schemas.AbandonRequest,
    answers: { 200: schemas.DoneAnswer },
    refusals: ['NOT_ALLOWED_NOW', 'COMMAND_ID_REUSED'],
    findsOne: true,
  },
  reportIncident: {
    method: 'POST',
    path: '/shippings/:id/incidents',
    section: 'Runs',
    summary: 'Report why the parcel cannot be handed over',
    description:
      'The status stays. The incident is open until it is resolved: by a delivery, or by the operator. A second report replaces kind and note of the open one.',
    params: schemas.ShipmentParams,
    body: schemas.IncidentRequest,
    answers: { 200: schemas.ShipmentAnswer },
    refusals: ['NOT_ALLOWED_NOW', 'COMMAND_ID_REUSED'],
    findsOne: true,
  },
  addProof: {
    method: 'POST',
    path: '/shippings/:id/proofs',
    section: 'Runs',
    summary: 'Add a photo or a signature',
    description: 'Also after the delivery, when the phone has network again.',
    params: schemas.ShipmentParams,
    body: schemas.ProofRequest,
    bodyLimit: PROOF_BODY_LIMIT_BYTES,
    httpOnly: true,
    answers: { 201: schemas.ProofAnswer },
    refusals: ['NOT_AN_IMAGE', 'TOO_MANY_PROOFS', 'COMMAND_ID_REUSED'],
    findsOne: true,
  },
  readProof: {
    method: 'GET',
    path: '/proofs/:id',
    section: 'Runs',
    summary: 'Read a photo or signature of one of the driver’s runs',
    description: 'For 48 hours after it arrived.',
    params: schemas.ProofParams,
    httpOnly: true,
    answers: { 200: schemas.ProofFile },
    findsOne: true,
  },
  readEarnings: {
    method: 'GET',
    path: '/earnings',
    section: 'Earnings',
    summary: 'Read what the driver earned in a month',
    query: earnings.EarningsQuery,
    answers: { 200: earnings.EarningsAnswer },
  },
  readStatementPdf: {
    method: 'GET',
    path: '/earnings/:month/statement.pdf',
    section: 'Earnings',
    summary: 'Read the statement of a month as PDF',
    description:
      'In French, with the balance before and after the month. The statement of an ended month never changes.',
    params: earnings.StatementParams,
    httpOnly: true,
    answers: { 200: earnings.StatementPdf },
    findsOne: true,
  },
  readStatementCsv: {
    method: 'GET',
    path: '/earnings/:month/statement.csv',
    section: 'Earnings',
    summary: 'Read the statement of a month as CSV',
    params: earnings.StatementParams,
    httpOnly: true,
    answers: { 200: earnings.StatementCsv },
    findsOne: true,
  },
});

/** Endpoints that are also commands of the real-time channel. */
export const isSocketCommand = ({ open, httpOnly }: DriverEndpoint): boolean => !open && !httpOnly;

export type DriverEndpointName = keyof typeof DRIVER_ENDPOINTS;
