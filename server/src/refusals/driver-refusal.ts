import { DRIVER_SLUGS, type DriverErrorSlug } from '@navette/contract';
import { Refusal, refuseWithMessage } from './refusal.ts';

/** Refuses with a slug of the driver API. Its message tells the driver how to proceed. */
export function refuseDriver(slug: DriverErrorSlug, extra: Record<string, unknown> = {}): never {
  const { status, message } = DRIVER_SLUGS[slug];
  throw new Refusal(status, { error: slug, message, ...extra });
}

/** An unknown run and a run of another driver get the same response, byte for byte. */
export function refuseAsUnknownRun(): never {
  return refuseWithMessage(404, 'Course introuvable : actualisez la liste de vos courses.');
}

export function refuseAsUnknownStatement(): never {
  return refuseWithMessage(404, 'Relevé introuvable : indiquez un mois, comme 2030-05.');
}

export function refuseAsUnknownSession(): never {
  return refuseWithMessage(404, 'Session introuvable : actualisez la liste de vos appareils.');
}
