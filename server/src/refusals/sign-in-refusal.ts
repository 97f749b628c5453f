import { SIGN_IN_SLUGS } from '@navette/contract';
import { Refusal } from './refusal.ts';

/** Refuses with a slug that the dashboard and the console share: sessions, passwords and second factors. */
export function refuseSignIn(slug: keyof typeof SIGN_IN_SLUGS): never {
  const { status, message } = SIGN_IN_SLUGS[slug];
  throw new Refusal(status, { error: slug, message });
}
