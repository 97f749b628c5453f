import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { FieldErrors } from './errors.ts';
import { Closed, OneOf } from './schema-kit.ts';

export interface WebSlug {
  status: number;
  cause: string;
  remedy: string;
  /** French text; the web apps have texts of their own for each slug, in the user's language. */
  message: string;
  extra: TProperties;
}

export const defineWebSlugs = <const T extends Record<string, WebSlug>>(slugs: T) => slugs;

/** Refusals of everything about passwords, second factors and sessions: of members and of staff. */
export const SIGN_IN_SLUGS = defineWebSlugs({
  NOT_SIGNED_IN: {
    status: 401,
    cause: 'There is no session, or it has ended.',
    remedy: 'Sign in.',
    message: 'Session terminée : reconnectez-vous.',
    extra: {},
  },
  WRONG_CREDENTIALS: {
    status: 401,
    cause: 'E-mail or password is wrong, or sign-in is locked after five wrong passwords.',
    remedy: 'Try again; after five errors in a row wait 15 minutes.',
    message:
      'E-mail ou mot de passe incorrect. Après cinq erreurs de suite, attendez quinze minutes avant de réessayer.',
    extra: {},
  },
  SECOND_FACTOR_REQUIRED: {
    status: 401,
    cause: 'The password is correct, and the person has a second factor.',
    remedy: 'Send the same request again with `code`.',
    message: 'Saisissez le code de votre application d’authentification.',
    extra: {},
  },
  WRONG_SECOND_FACTOR: {
    status: 401,
    cause: 'The code is wrong, was used before, or sign-in is locked after five wrong codes.',
    remedy: 'Wait for the next code. Five errors in a row lock sign-in for 15 minutes, then for 1, 4 and 24 hours.',
    message:
      'Code incorrect ou déjà utilisé. Après cinq erreurs de suite, attendez quinze minutes, puis de plus en plus longtemps.',
    extra: {},
  },
  BAD_CSRF_TOKEN: {
    status: 403,
    cause: 'The `X-CSRF-Token` header is missing or belongs to another session.',
    remedy: 'Read the session again and send its `csrfToken`.',
    message: 'Requête refusée : rechargez la page.',
    extra: {},
  },
  FOREIGN_ORIGIN: {
    status: 403,
    cause: 'The request was made by a page of another site.',
    remedy: 'Use the app at its own URL.',
    message: 'Requête refusée : elle vient d’un autre site.',
    extra: {},
  },
  WRONG_PASSWORD: {
    status: 403,
    cause: 'A signed-in person sent a wrong password, or is locked after five wrong passwords.',
    remedy: 'Ask again; after five errors in a row wait 15 minutes.',
    message: 'Mot de passe incorrect. Après cinq erreurs de suite, attendez quinze minutes avant de réessayer.',
    extra: {},
  },
  WRONG_CODE: {
    status: 403,
    cause: 'A signed-in person sent a wrong or used code, or codes are locked after five wrong codes in a row.',
    remedy: 'Wait for the next code; after five errors in a row the delays of sign-in apply.',
    message: 'Code incorrect ou déjà utilisé : attendez le suivant.',
    extra: {},
  },
  LINK_GONE: {
    status: 410,
    cause: 'The link was used, replaced or withdrawn, or has expired.',
    remedy: 'Ask for a new one.',
    message: 'Ce lien n’est plus valable : demandez-en un nouveau.',
    extra: {},
  },
  SECOND_FACTOR_ON: {
    status: 409,
    cause: 'The person already has a second factor.',
    remedy: 'Switch it off first.',
    message: 'La double authentification est déjà activée.',
    extra: {},
  },
  SECOND_FACTOR_OFF: {
    status: 409,
    cause: 'The person has no second factor, or has not started to set one up.',
    remedy: 'Start again.',
    message: 'La double authentification n’est pas activée.',
    extra: {},
  },
});

/** The further fields of a slug's envelope, as a type. */
export type WebErrorExtra<T extends Record<string, WebSlug>, S extends keyof T> = Static<TObject<T[S]['extra']>>;

const failed = { success: Type.Unsafe<false>({ type: 'boolean', const: false }) };

export const webSlugEnvelope = (slugs: Record<string, WebSlug>, slug: string) =>
  Closed({
    ...failed,
    error: OneOf([slug]),
    message: Type.String({ description: 'French text for people; do not parse it.' }),
    ...slugs[slug]?.extra,
  });

const { items } = FieldErrors.properties.errors;

/** As in the public API, with the violated rule, so that a web app can show it in both languages. */
export const WebFieldErrors = Closed(
  {
    ...failed,
    errors: Type.Array(
      Closed(
        {
          ...items.properties,
          rule: Type.Optional(Type.String({ examples: ['required', 'maxLength'] })),
          limit: Type.Optional(
            Type.Union([Type.Number(), Type.String()], { description: 'The limit or the format of the rule.' }),
          ),
        },
        { title: 'FieldErrorWithRule' },
      ),
      { minItems: 1 },
    ),
  },
  { title: 'FieldErrorsWithRules' },
);
export type WebFieldError = Static<typeof WebFieldErrors>['errors'][number];
