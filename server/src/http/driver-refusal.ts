import { DRIVER_SLUGS, type DriverErrorSlug } from '@navette/contract';
import { Refusal, refuseWithMessage } from './refusal.ts';

/** A "no" of the driver API, in words that tell the driver what to do. */
export function refuseDriver(slug: DriverErrorSlug, extra: Record<string, unknown> = {}): never {
  const { status, message } = DRIVER_SLUGS[slug];
  throw new Refusal(status, { error: slug, message, ...extra });
}

/** Unknown and another driver's are the same answer, byte for byte. */
export function refuseAsUnknownRun(): never {
  return refuseWithMessage(404, 'Course introuvable : actualisez la liste de vos courses.');
}
