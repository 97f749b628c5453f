import Type from 'typebox';
import { OneOf } from '../schema-kit.ts';
import { SHIPMENT_STATUSES } from '../statuses.ts';
import { defineWebSlugs, SIGN_IN_SLUGS, type WebErrorExtra } from '../web-slugs.ts';
import { STAFF_NEEDS } from './roles.ts';

/** Why an act is not possible, for the app to put into words. */
export const WHY_NOT = [
  'account_closed',
  'driver_disabled',
  'driver_has_no_email',
  'driver_number_refused',
  'email_taken',
  'last_owner',
  'not_deliverable',
  'not_picked_up',
  'over_confirmation_limit',
  'message_not_sendable',
  'message_sent_recently',
  'message_sent_too_often',
  'not_in_euros',
  'number_refused',
  'payer_unknown',
  'received_in_future',
  'report_closed',
  'request_id_invalid',
  'request_id_taken',
  'resend_period_invalid',
  'resend_running',
  'slot_passed',
  'slot_unknown',
  'slot_without_date',
  'date_without_slot',
  'team_full',
  'too_many_zones',
  'webhook_not_paused',
  'webhook_paused',
  'zone_lifted',
  ...SHIPMENT_STATUSES.map((status) => `shipment_${status}` as const),
] as const;
export type WhyNot = (typeof WHY_NOT)[number];

/** Settings of a merchant that a rule across fields, or the map, can refuse. */
export const REFUSED_SETTINGS = [
  'isSpecialRequest',
  'pickupAddress',
  'timeSlots',
  'retentionDays',
  'amounts',
  'other',
] as const;

/** The console's own slugs. */
export const CONSOLE_SLUGS = defineWebSlugs({
  ...SIGN_IN_SLUGS,
  ROLE_NOT_ALLOWED: {
    status: 403,
    cause: 'The role of the staff member does not allow this.',
    remedy: 'Ask an administrator.',
    message: 'Votre rôle ne permet pas cette action : demandez à un administrateur.',
    extra: { needs: OneOf(STAFF_NEEDS) },
  },
  SECOND_FACTOR_MISSING: {
    status: 403,
    cause: 'The staff member signed in with a password and has not set up a second factor.',
    remedy: 'Set up a second factor first.',
    message: 'Activez d’abord la double authentification.',
    extra: {},
  },
  EMAIL_TAKEN: {
    status: 409,
    cause: 'Another staff member has this e-mail address.',
    remedy: 'Use another address.',
    message: 'Cette adresse e-mail est déjà utilisée.',
    extra: {},
  },
  LAST_ADMIN: {
    status: 409,
    cause: 'Nobody would be left who may manage the staff.',
    remedy: 'Make somebody else an administrator first.',
    message: 'Il doit rester au moins un administrateur : nommez-en un autre d’abord.',
    extra: {},
  },
  SINGLE_SIGN_ON_FAILED: {
    status: 401,
    cause: 'The identity provider did not vouch for the person.',
    remedy: 'Sign in again.',
    message: 'La connexion unique a échoué : recommencez.',
    extra: {},
  },
  SINGLE_SIGN_ON_NO_ROLE: {
    status: 403,
    cause: 'The identity provider vouches for the person, but gave no role that the console knows.',
    remedy: 'An administrator of the identity provider assigns a role.',
    message: 'Votre compte n’a pas de rôle dans la console : demandez-en un à votre administrateur.',
    extra: {},
  },
  PASSWORD_SIGN_IN_OFF: {
    status: 403,
    cause: 'Staff sign in with the identity provider only.',
    remedy: 'Use single sign-on.',
    message: 'La connexion par mot de passe est désactivée : utilisez la connexion unique.',
    extra: {},
  },
  CHANGED_MEANWHILE: {
    status: 409,
    cause: 'Somebody acted after the version that this request was decided on.',
    remedy: 'Look at the current state and decide again.',
    message: 'Quelqu’un a agi entre-temps : regardez l’état actuel et décidez à nouveau.',
    extra: {
      by: Type.Optional(Type.String({ description: 'Name of the person who was first.' })),
      at: Type.Optional(Type.String({ format: 'date-time' })),
      change: Type.Optional(Type.String({ description: 'The act, as in the log of acts.' })),
    },
  },
  OWN_REQUEST: {
    status: 403,
    cause: 'The request for approval is by the same person.',
    remedy: 'Ask somebody else to approve it.',
    message: 'Vous ne pouvez pas approuver votre propre demande.',
    extra: {},
  },
  NOT_POSSIBLE_NOW: {
    status: 409,
    cause: 'The state of the shipment, driver, webhook or message does not allow the act.',
    remedy: 'The message says why; read the page again.',
    message: 'Impossible dans l’état actuel.',
    extra: { why: OneOf(WHY_NOT) },
  },
  TRANSFER_KNOWN: {
    status: 409,
    cause: 'A transfer with this id of the bank was recorded before.',
    remedy: 'Compare both: it is the same transfer, or the id is wrong.',
    message: 'Ce virement est déjà enregistré.',
    extra: {
      recordedAt: Type.String({ format: 'date-time', description: 'When it was recorded.' }),
      merchant: Type.String({ description: 'Name of the account that it was recorded for.' }),
      amount: Type.Number({ description: 'EUR that were recorded.' }),
    },
  },
  SETTING_REFUSED: {
    status: 400,
    cause: 'A setting of the merchant is not valid; `setting` says which.',
    remedy: 'Correct it.',
    message: 'Ce réglage n’est pas valable.',
    extra: { setting: OneOf(REFUSED_SETTINGS) },
  },
});

export type ConsoleErrorSlug = keyof typeof CONSOLE_SLUGS;
export type ConsoleErrorExtra<S extends ConsoleErrorSlug> = WebErrorExtra<typeof CONSOLE_SLUGS, S>;
