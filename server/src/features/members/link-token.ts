import { hashSecretToken, newSecretToken } from '../../secret-token.ts';

/** What a link carries, and what is kept of it. */
export function newLinkToken(purpose: 'invitation' | 'reset'): { token: string; tokenHash: Buffer } {
  const token = newSecretToken(`navette_${purpose}_`);
  return { token, tokenHash: hashLinkToken(token) };
}

export const hashLinkToken = (token: string): Buffer => Buffer.from(hashSecretToken(token), 'hex');

/** In the fragment, which browsers send to no server: it is in no log on the way. */
export const linkTo = (publicUrl: string, page: 'invitation' | 'reset', token: string): string =>
  `${publicUrl}/dashboard/${page}#${token}`;
