import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { FieldErrors } from '../errors.ts';
import { Closed, OneOf } from '../schema-kit.ts';
import { NEEDS } from './roles.ts';

interface DashboardSlug {
  status: number;
  cause: string;
  remedy: string;
  /** French prose; the web app words slugs itself, in the language of its user. */
  message: string;
  extra: TProperties;
}

const define = <const T extends Record<string, DashboardSlug>>(slugs: T) => slugs;

/** The dashboard's own slugs. Business refusals that the public API has too keep its slugs (see ../errors.ts). */
export const DASHBOARD_SLUGS = define({
  NOT_SIGNED_IN: {
    status: 401,
    cause: 'No session, or one that has ended.',
    remedy: 'Sign in.',
    message: 'Session terminée : reconnectez-vous.',
    extra: {},
  },
  WRONG_CREDENTIALS: {
    status: 401,
    cause: 'E-mail or password is wrong, or the door is locked after five wrong passwords.',
    remedy: 'Try again; after five errors in a row wait a quarter of an hour.',
    message:
      'E-mail ou mot de passe incorrect. Après cinq erreurs de suite, attendez quinze minutes avant de réessayer.',
    extra: {},
  },
  SECOND_FACTOR_REQUIRED: {
    status: 401,
    cause: 'The password is right, and the member has a second factor.',
    remedy: 'Send the same again with `code`.',
    message: 'Saisissez le code de votre application d’authentification.',
    extra: {},
  },
  WRONG_SECOND_FACTOR: {
    status: 401,
    cause: 'The code is wrong, was used before, or the door is locked after five wrong codes.',
    remedy: 'Wait for the next code; after five errors in a row wait a quarter of an hour.',
    message: 'Code incorrect ou déjà utilisé. Après cinq erreurs de suite, attendez quinze minutes avant de réessayer.',
    extra: {},
  },
  BAD_CSRF_TOKEN: {
    status: 403,
    cause: '`X-CSRF-Token` is missing or belongs to another session.',
    remedy: 'Read the session again and send its `csrfToken`.',
    message: 'Requête refusée : rechargez la page.',
    extra: {},
  },
  FOREIGN_ORIGIN: {
    status: 403,
    cause: 'The request was made by a page of another site.',
    remedy: 'Use the dashboard at its own address.',
    message: 'Requête refusée : elle vient d’un autre site.',
    extra: {},
  },
  ROLE_NOT_ALLOWED: {
    status: 403,
    cause: 'The member’s role does not allow this.',
    remedy: 'Ask an owner of the account.',
    message: 'Votre rôle ne permet pas cette action : demandez à un propriétaire du compte.',
    extra: { needs: OneOf(NEEDS) },
  },
  WRONG_PASSWORD: {
    status: 403,
    cause: 'Somebody who is signed in gave a wrong password, or their door is locked after five wrong ones.',
    remedy: 'Ask again; after five errors in a row wait a quarter of an hour.',
    message: 'Mot de passe incorrect. Après cinq erreurs de suite, attendez quinze minutes avant de réessayer.',
    extra: {},
  },
  WRONG_CODE: {
    status: 403,
    cause: 'Somebody who is signed in gave a wrong or used code, or five wrong ones in a row.',
    remedy: 'Wait for the next code.',
    message: 'Code incorrect ou déjà utilisé : attendez le suivant.',
    extra: {},
  },
  LINK_GONE: {
    status: 410,
    cause: 'The link was used, replaced, withdrawn, or is too old.',
    remedy: 'Ask for a new one.',
    message: 'Ce lien n’est plus valable : demandez-en un nouveau.',
    extra: {},
  },
  EMAIL_TAKEN: {
    status: 409,
    cause: 'A member has this e-mail address.',
    remedy: 'Use another address; an address belongs to one account.',
    message: 'Cette adresse e-mail est déjà utilisée.',
    extra: {},
  },
  LAST_OWNER: {
    status: 409,
    cause: 'The account would be left without an owner.',
    remedy: 'Make somebody else an owner first.',
    message: 'Le compte doit garder au moins un propriétaire : nommez-en un autre d’abord.',
    extra: {},
  },
  TEAM_FULL: {
    status: 409,
    cause: 'The account has as many members and invitations as one may have.',
    remedy: 'Remove a member or withdraw an invitation.',
    message: 'L’équipe est complète : retirez un membre ou une invitation.',
    extra: {},
  },
  SECOND_FACTOR_ON: {
    status: 409,
    cause: 'The member has a second factor already.',
    remedy: 'Switch it off first.',
    message: 'La double authentification est déjà activée.',
    extra: {},
  },
  SECOND_FACTOR_OFF: {
    status: 409,
    cause: 'The member has no second factor, or has not begun to set one up.',
    remedy: 'Begin again.',
    message: 'La double authentification n’est pas activée.',
    extra: {},
  },
  DATE_WITHOUT_SLOT: {
    status: 400,
    cause: 'A date was given without a slot.',
    remedy: 'Choose a slot, or leave both out.',
    message: 'Une date est donnée sans créneau : choisissez un créneau.',
    extra: {},
  },
  SLOT_WITHOUT_DATE: {
    status: 400,
    cause: 'A slot was given without a date.',
    remedy: 'Choose a date, or leave both out.',
    message: 'Un créneau est donné sans date : choisissez une date.',
    extra: {},
  },
  UNKNOWN_SLOT: {
    status: 400,
    cause: 'The slot is none of the account’s and cannot be read as hours.',
    remedy: 'Choose another, such as `14h-16h`.',
    message: 'Créneau non reconnu : donnez un créneau du compte, ou par exemple 14h-16h.',
    extra: {},
  },
  SLOT_PASSED: {
    status: 400,
    cause: 'The slot has begun.',
    remedy: 'Choose a later one.',
    message: 'Ce créneau est déjà passé : choisissez-en un à venir.',
    extra: {},
  },
  OVER_CREDIT_LIMIT: {
    status: 400,
    cause: 'The price would lift what is owed over the credit limit.',
    remedy: 'Settle invoices, or ask the operator.',
    message: 'Plafond de crédit dépassé : réglez vos factures en cours ou contactez votre opérateur.',
    extra: {},
  },
  SETTINGS_CHANGED: {
    status: 400,
    cause: 'The account’s settings changed at the same moment.',
    remedy: 'Send the same again.',
    message: 'Les réglages du compte viennent de changer : réessayez.',
    extra: {},
  },
  TOO_LATE_TO_CANCEL: {
    status: 400,
    cause: 'A driver has the parcel.',
    remedy: 'Contact the operator.',
    message: 'Trop tard pour annuler : le colis est déjà parti.',
    extra: {},
  },
  TOO_MANY_LABELS: {
    status: 400,
    cause: 'More labels match than one file may hold.',
    remedy: 'Narrow the filters.',
    message: 'Trop d’étiquettes pour un seul fichier : resserrez les filtres.',
    extra: {},
  },
  EMPTY_IMPORT: {
    status: 400,
    cause: 'The file has no line below its header.',
    remedy: 'Choose another file.',
    message: 'Ce fichier ne contient aucune ligne à importer.',
    extra: {},
  },
  TOO_MANY_LINES: {
    status: 400,
    cause: 'The file has more lines than one import may have.',
    remedy: 'Split the file.',
    message: 'Ce fichier contient trop de lignes : divisez-le.',
    extra: {},
  },
  UNREADABLE_FILE: {
    status: 400,
    cause: 'The file is no text in columns.',
    remedy: 'Save it as CSV.',
    message: 'Ce fichier n’est pas lisible : enregistrez-le au format CSV.',
    extra: {},
  },
  IMPORT_OVER: {
    status: 409,
    cause: 'The import is done or was cancelled.',
    remedy: 'Import the file again.',
    message: 'Cet import est terminé ou annulé.',
    extra: {},
  },
  NOTHING_TO_IMPORT: {
    status: 409,
    cause: 'No line of the import can be created.',
    remedy: 'Correct the file and import it again.',
    message: 'Aucune ligne de cet import ne peut être créée : corrigez le fichier.',
    extra: {},
  },
  TOO_MANY_KEYS: {
    status: 409,
    cause: 'The account has as many active keys as one may have; expired and revoked ones do not count.',
    remedy: 'Revoke one that is no longer used.',
    message: 'Nombre maximal de clés actives atteint : révoquez-en une.',
    extra: {},
  },
  KEY_EXPIRY_PAST: {
    status: 400,
    cause: 'The key would be expired from the start.',
    remedy: 'Choose a later instant, or none.',
    message: 'L’expiration doit être dans le futur.',
    extra: {},
  },
  TOO_MANY_WEBHOOKS: {
    status: 400,
    cause: 'The account has as many webhooks as one may have.',
    remedy: 'Delete one that is no longer used.',
    message: 'Nombre maximal de webhooks atteint : supprimez-en un.',
    extra: {},
  },
  WEBHOOK_URL_UNREADABLE: {
    status: 400,
    cause: 'The address cannot be read.',
    remedy: 'Give a whole address, such as https://shop.example.org/navette.',
    message: 'L’adresse du webhook est illisible.',
    extra: {},
  },
  WEBHOOK_URL_NOT_HTTP: {
    status: 400,
    cause: 'The address is neither http nor https.',
    remedy: 'Give an http or https address.',
    message: 'L’adresse du webhook doit commencer par http:// ou https://.',
    extra: {},
  },
  WEBHOOK_URL_WITH_PASSWORD: {
    status: 400,
    cause: 'The address carries a user or a password.',
    remedy: 'Leave them out: requests are signed.',
    message: 'L’adresse du webhook ne doit contenir ni identifiant ni mot de passe.',
    extra: {},
  },
  WEBHOOK_URL_NOT_PUBLIC: {
    status: 400,
    cause: 'The address leads into a private or local network.',
    remedy: 'Give an address that the internet can reach.',
    message: 'L’adresse du webhook doit être publique : réseau privé ou local refusé.',
    extra: {},
  },
  WEBHOOK_URL_TAKEN: {
    status: 400,
    cause: 'Another webhook of the account has this address.',
    remedy: 'Change that one.',
    message: 'Cette adresse a déjà un webhook : modifiez celui qui existe.',
    extra: {},
  },
});

export type DashboardErrorSlug = keyof typeof DASHBOARD_SLUGS;
export type DashboardErrorExtra<S extends DashboardErrorSlug> = {
  [F in keyof (typeof DASHBOARD_SLUGS)[S]['extra']]: (typeof DASHBOARD_SLUGS)[S]['extra'][F] extends TSchema
    ? Static<(typeof DASHBOARD_SLUGS)[S]['extra'][F]>
    : never;
};

const failed = { success: Type.Unsafe<false>({ type: 'boolean', const: false }) };

export const dashboardSlugEnvelope = (slug: DashboardErrorSlug) =>
  Closed({
    ...failed,
    error: OneOf([slug]),
    message: Type.String({ description: 'French prose, not to be parsed.' }),
    ...DASHBOARD_SLUGS[slug].extra,
  });

const { items } = FieldErrors.properties.errors;

/** As in the public API, with the rule that was broken, so that the web app can word it in both languages. */
export const DashboardFieldErrors = Closed(
  {
    ...failed,
    errors: Type.Array(
      Closed(
        {
          ...items.properties,
          rule: Type.Optional(Type.String({ examples: ['required', 'maxLength'] })),
          limit: Type.Optional(
            Type.Union([Type.Number(), Type.String()], { description: 'The bound, or the format.' }),
          ),
        },
        { title: 'DashboardFieldError' },
      ),
      { minItems: 1 },
    ),
  },
  { title: 'DashboardFieldErrors' },
);
export type DashboardFieldError = Static<typeof DashboardFieldErrors>['errors'][number];
