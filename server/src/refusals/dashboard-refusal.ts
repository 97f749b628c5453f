import { DASHBOARD_SLUGS, type DashboardErrorExtra, type DashboardErrorSlug } from '@navette/contract';
import { Refusal, refuseWithMessage } from './refusal.ts';

type ExtraArguments<S extends DashboardErrorSlug> = keyof DashboardErrorExtra<S> extends never
  ? []
  : [extra: DashboardErrorExtra<S>];

/** Refuses with a slug that only the dashboard has. `refuse` throws the refusals of the public API. */
export function refuseDashboard<S extends DashboardErrorSlug>(slug: S, ...[extra]: ExtraArguments<S>): never {
  const { status, message } = DASHBOARD_SLUGS[slug];
  throw new Refusal(status, { error: slug, message, ...extra });
}

/** An unknown id and an id of another account get the same response, byte for byte. */
export function refuseAsNotFound(): never {
  return refuseWithMessage(404, 'Introuvable : actualisez la page.');
}

/** For a rule that has no slug in the public API, which answers with the message only. The dashboard adds the slug. */
export function refuseWithDashboardSlug(slug: DashboardErrorSlug): never {
  const { status, message } = DASHBOARD_SLUGS[slug];
  return refuseWithMessage(status, message, slug);
}
