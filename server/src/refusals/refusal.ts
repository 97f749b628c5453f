import {
  type DashboardErrorSlug,
  ERROR_SLUGS,
  type ErrorExtra,
  type ErrorSlug,
  type FieldError,
  type RateWindow,
} from '@navette/contract';

/** A refusal that the contract defines: a status and the exact envelope. Only error-handler.ts turns it into HTTP. */
export class Refusal extends Error {
  readonly status: number;
  readonly envelope: Record<string, unknown>;
  /** For a refusal that has no slug in the public API: the dashboard needs one to translate it. */
  readonly dashboardSlug: DashboardErrorSlug | undefined;

  constructor(status: number, envelope: Record<string, unknown>, dashboardSlug?: DashboardErrorSlug) {
    super(typeof envelope.message === 'string' ? envelope.message : 'field errors');
    this.status = status;
    this.envelope = { success: false, ...envelope };
    this.dashboardSlug = dashboardSlug;
  }
}

type ExtraArguments<S extends ErrorSlug> = keyof ErrorExtra<S> extends never ? [] : [extra: ErrorExtra<S>];

export function refusal<S extends ErrorSlug>(slug: S, ...[extra]: ExtraArguments<S>): Refusal {
  const { status, message } = ERROR_SLUGS[slug];
  return new Refusal(status, { error: slug, message, ...extra });
}

export function refuse<S extends ErrorSlug>(slug: S, ...extra: ExtraArguments<S>): never {
  throw refusal(slug, ...extra);
}

export const messageOnly = (status: number, message: string, dashboardSlug?: DashboardErrorSlug): Refusal =>
  new Refusal(status, { message }, dashboardSlug);

export function refuseWithMessage(status: number, message: string, dashboardSlug?: DashboardErrorSlug): never {
  throw messageOnly(status, message, dashboardSlug);
}

export function fieldErrors(errors: FieldError[]): Refusal {
  return new Refusal(400, { errors });
}

/** An unknown id and an id of another account get the same response, byte for byte. */
export function refuseAsUnknown(): never {
  return refuseWithMessage(404, 'Expédition introuvable : vérifiez l’identifiant et le compte.');
}

const MOVING = 'Compte en cours de transfert : réessayez dans quelques secondes.';

/** The account is being moved to another cell, or has been, and routers are about to follow: the caller tries again. */
export const accountMoving = (): Refusal => new Refusal(503, { message: MOVING });

/** The error of triggers that refuse changes of an account while it is moved. */
const MOVING_SQLSTATE = 'NM001';
export const isAccountMoving = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === MOVING_SQLSTATE;

export function tooMany(window: RateWindow): Refusal {
  const period = { minute: 'par minute', hour: 'par heure', day: 'par jour' }[window];
  return new Refusal(429, { message: `Trop de requêtes ${period} : réessayez plus tard.`, window });
}

export function refuseAsTooMany(window: RateWindow): never {
  throw tooMany(window);
}
