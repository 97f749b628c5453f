import { newSecretToken, tokenPrefix } from '../../secrets/secret-token.ts';

export { hashSecretToken as hashApiKey } from '../../secrets/secret-token.ts';

const LIVE = 'key';
export const LIVE_PREFIX = tokenPrefix(LIVE);

/** The prefix shows whether a key belongs to a test twin. */
export const newApiKey = (isTest: boolean): string => newSecretToken(isTest ? 'test' : LIVE);

/** Lets members distinguish keys, without revealing them. */
export const hintOf = (key: string): string => key.slice(-4);
