import { hashSecretToken, newSecretToken } from './secret-token.ts';

type LinkPurpose = 'invitation' | 'reset' | 'welcome';

/** The token for a link, and the hash that is stored. */
export function newLinkToken(purpose: LinkPurpose): { token: string; tokenHash: Buffer } {
  const token = newSecretToken(purpose);
  return { token, tokenHash: hashLinkToken(token) };
}

export const hashLinkToken = (token: string): Buffer => Buffer.from(hashSecretToken(token), 'hex');

/** Puts the token into the fragment: browsers do not send it, so no server or proxy logs it. */
export const linkTo = (publicUrl: string, page: `/${string}`, token: string): string => `${publicUrl}${page}#${token}`;
