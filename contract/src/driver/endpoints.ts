import type { EndpointShape } from '../endpoint-shape.ts';
import type { Method } from '../scopes.ts';
import type { DriverErrorSlug } from './errors.ts';
import * as schemas from './schemas.ts';

export const DRIVER_BASE_PATH = '/driver/api/v1';
/** Where Socket.IO answers, on the same host and port. */
export const DRIVER_SOCKET_PATH = '/driver/socket.io';

/**
 * A command of the driver app. Over HTTP it is the method and path; over the real-time channel it is an event with the
 * endpoint's name, one object with the fields of path and body together, and an acknowledgement `{status, body}`.
 */
export interface DriverEndpoint extends EndpointShape {
  method: Method;
  path: string;
  section: 'Session' | 'Offers' | 'Runs';
  refusals?: readonly DriverErrorSlug[];
  /** Served without a token, and over HTTP only: it is how one gets a token. */
  open?: true;
}

const define = <const T extends Record<string, DriverEndpoint>>(endpoints: T) => endpoints;

export const DRIVER_ENDPOINTS = define({
  createSession: {
    method: 'POST',
    path: '/session',
    section: 'Session',
    summary: 'Sign in',
    body: schemas.SessionRequest,
    answers: { 201: schemas.NewSessionAnswer },
    refusals: ['WRONG_CREDENTIALS'],
    open: true,
  },
  readSession: {
    method: 'GET',
    path: '/session',
    section: 'Session',
    summary: 'Who is signed in',
    answers: { 200: schemas.SessionAnswer },
  },
  closeSession: {
    method: 'DELETE',
    path: '/session',
    section: 'Session',
    summary: 'Sign out: the token opens nothing from now on',
    answers: { 200: schemas.DoneAnswer },
  },
  setAvailability: {
    method: 'PUT',
    path: '/availability',
    section: 'Session',
    summary: 'Take new runs, or no longer',
    description: 'Shipments in hand stay the driver’s. Send positions as long as there are any.',
    body: schemas.AvailabilityRequest,
    answers: { 200: schemas.SessionAnswer },
  },
  sendPosition: {
    method: 'PUT',
    path: '/position',
    section: 'Session',
    summary: 'Where the driver is',
    description: 'Every few seconds while moving, at least once a minute while waiting for runs.',
    body: schemas.PositionRequest,
    answers: { 200: schemas.PositionAnswer },
  },
  listOffers: {
    method: 'GET',
    path: '/offers',
    section: 'Offers',
    summary: 'Runs offered to this driver now, soonest to expire first',
    answers: { 200: schemas.OffersAnswer },
  },
  acceptOffer: {
    method: 'POST',
    path: '/offers/:id/accept',
    section: 'Offers',
    summary: 'Take an offered run; the first to accept has it',
    description: 'Repeated by the driver who has it, it answers 200 again.',
    params: schemas.ShipmentParams,
    answers: { 200: schemas.ShipmentAnswer },
    refusals: ['OFFER_GONE', 'TOO_MANY_RUNS'],
    findsOne: true,
  },
  refuseOffer: {
    method: 'POST',
    path: '/offers/:id/refuse',
    section: 'Offers',
    summary: 'Leave an offered run to others; it is not offered to this driver again',
    params: schemas.ShipmentParams,
    answers: { 200: schemas.DoneAnswer },
    refusals: ['OFFER_GONE'],
    findsOne: true,
  },
  listShipments: {
    method: 'GET',
    path: '/shippings',
    section: 'Runs',
    summary: 'Shipments in the driver’s hands, the longest held first',
    answers: { 200: schemas.ShipmentsAnswer },
  },
  readShipment: {
    method: 'GET',
    path: '/shippings/:id',
    section: 'Runs',
    summary: 'One shipment of the driver',
    params: schemas.ShipmentParams,
    answers: { 200: schemas.ShipmentAnswer },
    findsOne: true,
  },
  pickUp: {
    method: 'POST',
    path: '/shippings/:id/pickup',
    section: 'Runs',
    summary: 'The parcel is in the driver’s hands',
    params: schemas.ShipmentParams,
    body: schemas.PickupRequest,
    answers: { 200: schemas.ShipmentAnswer },
    refusals: ['NOT_ALLOWED_NOW', 'PICKUP_TOKEN_REQUIRED', 'WRONG_PICKUP_TOKEN'],
    findsOne: true,
  },
  depart: {
    method: 'POST',
    path: '/shippings/:id/depart',
    section: 'Runs',
    summary: 'The driver sets off with the parcel',
    params: schemas.ShipmentParams,
    answers: { 200: schemas.ShipmentAnswer },
    refusals: ['NOT_ALLOWED_NOW'],
    findsOne: true,
  },
  deliver: {
    method: 'POST',
    path: '/shippings/:id/deliver',
    section: 'Runs',
    summary: 'The recipient has the parcel and gave their code',
    params: schemas.ShipmentParams,
    body: schemas.DeliverRequest,
    answers: { 200: schemas.ShipmentAnswer },
    refusals: ['NOT_ALLOWED_NOW', 'WRONG_DELIVERY_CODE', 'DELIVERY_CODE_LOCKED'],
    findsOne: true,
  },
  abandon: {
    method: 'POST',
    path: '/shippings/:id/abandon',
    section: 'Runs',
    summary: 'Give a run back before the parcel is picked up; another driver is searched',
    params: schemas.ShipmentParams,
    body: schemas.AbandonRequest,
    answers: { 200: schemas.DoneAnswer },
    refusals: ['NOT_ALLOWED_NOW'],
    findsOne: true,
  },
});

export type DriverEndpointName = keyof typeof DRIVER_ENDPOINTS;
