import Type, { type Static } from 'typebox';
import { ResendBody } from '../dashboard/shipments.ts';
import { ResendAnswer, ResendPeriod } from '../dashboard/webhooks.ts';
import { OPERATOR_RESOLUTIONS } from '../driver/incidents.ts';
import { Closed, Euros, Id, Instant, Nullable, OneOf, Success, Text } from '../schema-kit.ts';
import { SHIPMENT_STATUSES } from '../statuses.ts';
import { defineConsoleEndpoints } from './endpoint.ts';
import { MOST_CREDITED } from './limits.ts';
import { Reason } from './reason.ts';
import { APPROVAL_NEEDS, type ApprovableAct } from './roles.ts';

export const ShipmentParams = Type.Object({ id: Id('The shipment.') });
export const Version = Type.String({
  maxLength: 40,
  description: 'The shipment’s `version` that the decision is based on. A later change refuses the act.',
});

export const ShipmentState = Closed(
  {
    id: Id('The shipment.'),
    reference: Type.String(),
    status: OneOf(SHIPMENT_STATUSES),
    version: Version,
    driver: Nullable(Closed({ id: Id('The driver.'), name: Type.String() })),
  },
  { title: 'ConsoleShipment' },
);
export type ConsoleShipment = Static<typeof ShipmentState>;

const DRIVER_WARNINGS = ['far', 'many_runs', 'refused_before', 'position_unknown', 'offline'] as const;
/** Also about the parcel: it is late, its slot ends soon, its search has not started yet. */
export const ASSIGNMENT_WARNINGS = [...DRIVER_WARNINGS, 'late', 'nearly_late', 'programmed'] as const;

const AssignableDriver = Closed(
  {
    id: Id('The driver.'),
    name: Type.String(),
    distanceKm: Nullable(Type.Number({ description: 'To the pickup; null without a recent position.' })),
    runs: Type.Integer({ description: 'Parcels under way.' }),
    warnings: Type.Array(OneOf(DRIVER_WARNINGS)),
  },
  { title: 'AssignableDriver' },
);
export type AssignableDriver = Static<typeof AssignableDriver>;

/** The act happened, or waits for a second person. */
export const Outcome = Closed({
  success: Success,
  shipment: Nullable(ShipmentState),
  approvalId: Nullable(Id('The request that a second person decides; null when the act was done.')),
});

export const consoleShipmentEndpoints = defineConsoleEndpoints({
  listAssignableDrivers: {
    section: 'Shipments',
    summary: 'List drivers for a shipment, best first, with warnings',
    params: ShipmentParams,
    query: Type.Object({ name: Type.Optional(Text({ maxLength: 100 })) }),
    answers: { 200: Closed({ success: Success, shipment: ShipmentState, drivers: Type.Array(AssignableDriver) }) },
    needs: 'dispatch',
    findsOne: true,
  },
  assignShipment: {
    section: 'Shipments',
    summary: 'Assign a shipment to a driver',
    params: ShipmentParams,
    body: Type.Object({ driverId: Id('The driver.'), version: Version }),
    answers: { 200: Outcome },
    refusals: ['CHANGED_MEANWHILE', 'NOT_POSSIBLE_NOW'],
    needs: 'dispatch',
    findsOne: true,
  },
  setShipmentLocation: {
    section: 'Shipments',
    summary: 'Place the pickup or delivery address on the map',
    params: ShipmentParams,
    body: Type.Object({
      address: OneOf(['pickup', 'delivery'] as const),
      latitude: Type.Number({ minimum: -90, maximum: 90 }),
      longitude: Type.Number({ minimum: -180, maximum: 180 }),
    }),
    answers: { 200: Outcome },
    refusals: ['NOT_POSSIBLE_NOW'],
    needs: 'dispatch',
    findsOne: true,
  },
  confirmDelivery: {
    section: 'Shipments',
    summary: 'Confirm a delivery without the recipient’s code',
    description: 'Above the limit of one person, it waits for a second person.',
    params: ShipmentParams,
    body: Type.Object({ reason: Reason, version: Version }),
    answers: { 200: Outcome, 202: Outcome },
    refusals: ['CHANGED_MEANWHILE', 'NOT_POSSIBLE_NOW'],
    needs: 'dispatch',
    findsOne: true,
  },
  resolveIncident: {
    section: 'Shipments',
    summary: 'Decide how an open incident ends; the driver is notified',
    params: ShipmentParams,
    body: Type.Object({
      resolution: OneOf(OPERATOR_RESOLUTIONS),
      reason: Reason,
      leftWith: Type.Optional(
        Text({ maxLength: 100, description: 'With `left_with`: the person who took the parcel.' }),
      ),
      version: Version,
    }),
    answers: { 200: Outcome },
    refusals: ['CHANGED_MEANWHILE', 'NOT_POSSIBLE_NOW'],
    needs: 'dispatch',
    findsOne: true,
  },
});

const Approval = Closed(
  {
    id: Id('The request.'),
    act: OneOf(Object.keys(APPROVAL_NEEDS) as ApprovableAct[]),
    subject: Closed({ type: OneOf(['account', 'shipment'] as const), id: Type.String(), title: Type.String() }),
    amount: Nullable(Euros()),
    reason: Type.String(),
    requestedBy: Closed({ id: Id('The staff member.'), name: Type.String() }),
    requestedAt: Instant(),
  },
  { title: 'Approval' },
);
export type Approval = Static<typeof Approval>;

export const merchantHelpEndpoints = defineConsoleEndpoints({
  resumeWebhook: {
    section: 'Merchants',
    summary: 'Resume a paused webhook',
    params: Type.Object({ id: Id('The webhook.') }),
    answers: { 200: Closed({ success: Success }) },
    refusals: ['NOT_POSSIBLE_NOW'],
    needs: 'support',
    findsOne: true,
  },
  resendWebhookEvents: {
    section: 'Merchants',
    summary: 'Send the events of a period to a merchant’s webhook again',
    description: 'In the background, with the same bodies. The security log of the account shows it.',
    params: Type.Object({ id: Id('The webhook.') }),
    body: ResendPeriod,
    answers: { 202: ResendAnswer },
    refusals: ['NOT_POSSIBLE_NOW'],
    needs: 'support',
    findsOne: true,
  },
  retryMessage: {
    section: 'Merchants',
    summary: 'Send a failed message again',
    params: Type.Object({ id: Id('The message.') }),
    answers: { 200: Closed({ success: Success }) },
    refusals: ['NOT_POSSIBLE_NOW'],
    needs: 'support',
    findsOne: true,
  },
  resendConsoleMessage: {
    section: 'Shipments',
    summary: 'Send a message to the recipient again',
    description: 'Within the limits that hold for the merchant.',
    params: ShipmentParams,
    body: ResendBody,
    answers: { 202: Closed({ success: Success }) },
    refusals: ['NOT_POSSIBLE_NOW'],
    needs: 'support',
    findsOne: true,
  },
  closeReport: {
    section: 'Shipments',
    summary: 'Close the problem that a recipient reported',
    params: ShipmentParams,
    body: Type.Object({
      reason: Text({
        maxLength: 500,
        description: 'How it was settled. Kept in the log of acts, and shown to the merchant. It must name nobody.',
      }),
    }),
    answers: { 200: Closed({ success: Success }) },
    refusals: ['NOT_POSSIBLE_NOW'],
    needs: 'support',
    findsOne: true,
  },
  creditAccount: {
    section: 'Merchants',
    summary: 'Add a credit to an account’s ledger',
    description: 'Above the limit of one person, it waits for a second person. A repeated `requestId` adds nothing.',
    params: Type.Object({ id: Id('The account.') }),
    body: Type.Object({
      amount: Euros({ minimum: 0.01, maximum: MOST_CREDITED }),
      reason: Reason,
      requestId: Id('Chosen by the app: the same request sent again is applied once.'),
    }),
    answers: { 200: Outcome, 202: Outcome },
    refusals: ['NOT_POSSIBLE_NOW'],
    needs: 'money',
    findsOne: true,
  },
  listApprovals: {
    section: 'Approvals',
    summary: 'List what waits for a second person, oldest first',
    answers: { 200: Closed({ success: Success, approvals: Type.Array(Approval) }) },
    needs: 'read',
  },
  decideApproval: {
    section: 'Approvals',
    summary: 'Approve or decline, as the second person',
    description: 'Needs the permission of the act itself.',
    params: Type.Object({ id: Id('The request.') }),
    body: Type.Object({ approve: Type.Boolean(), reason: Type.Optional(Reason) }),
    answers: { 200: Closed({ success: Success }) },
    refusals: ['OWN_REQUEST', 'CHANGED_MEANWHILE', 'NOT_POSSIBLE_NOW'],
    needs: 'read',
    findsOne: true,
  },
});
