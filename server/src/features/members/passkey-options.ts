import type { Challenges } from '../../identity/challenges.ts';
import type { MembersOptions } from './members-options.ts';

/** The site to which passkeys belong. Browsers use a passkey nowhere else. */
export interface RelyingParty {
  /** The host name of the service's public address. */
  id: string;
  origin: string;
}

export interface PasskeyOptions extends MembersOptions {
  challenges: Challenges;
  relyingParty: RelyingParty;
}

export function relyingPartyAt(publicUrl: string): RelyingParty {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}
