import { newSecretToken } from '../../secrets/secret-token.ts';

export { hashSecretToken as hashApiKey } from '../../secrets/secret-token.ts';

export const newApiKey = (): string => newSecretToken('navette_key_');

/** Lets members distinguish keys, without revealing them. */
export const hintOf = (key: string): string => key.slice(-4);
