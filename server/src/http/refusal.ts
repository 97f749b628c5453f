import {
  type DashboardErrorSlug,
  ERROR_SLUGS,
  type ErrorExtra,
  type ErrorSlug,
  type FieldError,
  type RateWindow,
} from '@navette/contract';

/** A "no" that the contract foresees: a status and the exact envelope. Turned into HTTP by failures.ts alone. */
export class Refusal extends Error {
  readonly status: number;
  readonly envelope: Record<string, unknown>;
  /** Names a refusal that the public API words without a slug, for the dashboard, which words it in two languages. */
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

/** Unknown and foreign are the same answer, byte for byte. */
export function refuseAsUnknown(): never {
  return refuseWithMessage(404, 'Expédition introuvable : vérifiez l’identifiant et le compte.');
}

export function refuseAsTooMany(window: RateWindow): never {
  const period = { minute: 'par minute', hour: 'par heure', day: 'par jour' }[window];
  throw new Refusal(429, { message: `Trop de requêtes ${period} : réessayez plus tard.`, window });
}
