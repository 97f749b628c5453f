import { CONSOLE_ROUTES, type ConsoleEndpointName } from '@navette/contract';
import { expect, test } from 'vitest';
import { createProgram } from './program.ts';

/** Groups of commands whose acts staff need at the desk. */
const GROUPS = ['account', 'key', 'driver', 'staff', 'shipment', 'incident', 'payment', 'webhook', 'messages'];

/** By command: the operations of the console that do the same, or the reason why only the command line has it. */
const TABLE: Record<string, ConsoleEndpointName[] | string> = {
  'account create': ['createMerchant'],
  'account update': ['updateMerchantSettings', 'updateMerchantTerms'],
  'account show': ['readMerchantPage'],
  'account list': ['listMerchants', 'searchConsole'],
  'account credit': ['creditAccount'],
  'account billing': 'the merchant knows its own details; members change them in the dashboard',
  'account close': ['closeMerchant'],
  'account invite': ['inviteMerchantMember'],
  'account members': ['readMerchantPage'],
  'account move': 'needs superusers of two databases, and takes minutes',
  'account remove-member': ['removeMerchantMember'],
  'account reset-link': 'prints a link that signs in as the member; members use the forgotten password page',
  'account reset-second-factor': ['resetMemberSecondFactor'],
  'key create': 'prints a secret of the merchant; members create keys in the dashboard',
  'key narrow': 'restricts the merchant’s own software; members do it in the dashboard',
  'key list': ['readMerchantPage'],
  'key revoke': ['revokeMerchantKey'],
  'driver create': ['createDriver'],
  'driver list': ['listDrivers', 'searchConsole'],
  'driver password': 'takes a password that somebody else chose; the console sends a link to the driver',
  'driver token': 'prints a token that signs in as the driver; the console sends a link to the driver',
  'driver sessions': ['readDriverPage'],
  'driver sign-out': ['endDriverSessions', 'endDriverSession'],
  'driver disable': ['disableDriver'],
  'driver invite': ['inviteDriver'],
  'driver ledger': ['readDriverPage'],
  'driver correct': ['correctDriverPay'],
  'driver push-key': 'makes a key for the configuration of the service',
  'staff invite': ['inviteStaff'],
  'staff list': ['listStaff'],
  'staff role': ['changeStaffRole'],
  'staff remove': ['removeStaff'],
  'shipment list': ['listInbox'],
  'shipment explain': ['readShipmentPage'],
  'shipment assign': ['assignShipment'],
  'shipment unassign': ['unassignShipment'],
  'shipment confirm-delivery': ['confirmDelivery'],
  'shipment locate': ['setShipmentLocation'],
  'shipment rebuild-search': 'maintenance of an index, after a restore',
  'incident list': ['listInbox'],
  'incident show': ['readShipmentPage'],
  'incident resolve': ['resolveIncident'],
  'payment record': ['recordTransfer'],
  'payment list': ['listConsolePayments'],
  'payment settle': ['decideReview'],
  'payment reject': ['decideReview'],
  'webhook list': ['readMerchantPage'],
  'webhook deliveries': ['viewAsMerchant'],
  'webhook resend': ['resendWebhookEvents'],
  'webhook test': 'sends a request with the merchant’s signature; members test webhooks in the dashboard',
  messages: ['readShipmentPage', 'retryMessage'],
};

test('every command about merchants, drivers and parcels has an operation of the console, or a reason to have none', () => {
  const commands = createProgram()
    .commands.filter((command) => GROUPS.includes(command.name()))
    .flatMap((group) =>
      group.commands.length === 0
        ? [group.name()]
        : group.commands.map((command) => `${group.name()} ${command.name()}`),
    );
  expect(commands.toSorted()).toEqual(Object.keys(TABLE).toSorted());
  const operations = Object.values(TABLE).flatMap((entry) => (typeof entry === 'string' ? [] : entry));
  expect(operations.filter((name) => !(name in CONSOLE_ROUTES))).toEqual([]);
});
