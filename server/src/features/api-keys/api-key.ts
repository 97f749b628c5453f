import { newSecretToken } from '../../secret-token.ts';

export { hashSecretToken as hashApiKey } from '../../secret-token.ts';

export const newApiKey = (): string => newSecretToken('navette_key_');

/** Enough for a person to tell keys apart, useless to anyone else. */
export const hintOf = (key: string): string => key.slice(-4);
