import { newSecretToken } from '../../secrets/secret-token.ts';

export { hashSecretToken as hashApiKey } from '../../secrets/secret-token.ts';

export const LIVE_PREFIX = 'navette_key_';
const TEST_PREFIX = 'navette_test_';

/** The prefix shows whether a key belongs to a test twin. */
export const newApiKey = (isTest: boolean): string => newSecretToken(isTest ? TEST_PREFIX : LIVE_PREFIX);

/** Lets members distinguish keys, without revealing them. */
export const hintOf = (key: string): string => key.slice(-4);
