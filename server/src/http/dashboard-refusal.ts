import { DASHBOARD_SLUGS, type DashboardErrorExtra, type DashboardErrorSlug } from '@navette/contract';
import { Refusal, refuseWithMessage } from './refusal.ts';

type ExtraArguments<S extends DashboardErrorSlug> = keyof DashboardErrorExtra<S> extends never
  ? []
  : [extra: DashboardErrorExtra<S>];

/** A "no" that only the dashboard has; those of the public API are refused as there. */
export function refuseDashboard<S extends DashboardErrorSlug>(slug: S, ...[extra]: ExtraArguments<S>): never {
  const { status, message } = DASHBOARD_SLUGS[slug];
  throw new Refusal(status, { error: slug, message, ...extra });
}

/** Unknown and another account's are the same answer, byte for byte. */
export function refuseAsNotFound(): never {
  return refuseWithMessage(404, 'Introuvable : actualisez la page.');
}

/** A rule of the public API that has no slug there: it answers with the words alone, the dashboard with the slug too. */
export function refuseInWords(slug: DashboardErrorSlug): never {
  const { status, message } = DASHBOARD_SLUGS[slug];
  return refuseWithMessage(status, message, slug);
}
