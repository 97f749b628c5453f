import { hash, verify } from '@node-rs/argon2';
import { createFairQueue } from '../concurrency/fair-queue.ts';
import { callingNetwork } from '../network/client-network.ts';
import { refuseAsTooMany } from '../refusals/refusal.ts';

/**
 * Hashing takes a core and a thread of Node's pool for some 20 ms. Two at once make a hundred a second and leave the
 * other two threads to files and compression. With a full queue a caller waits about a second.
 */
const queue = createFairQueue({
  ...{ maxRunning: 2, maxCallers: 128, maxPerCaller: 30 },
  refuse: () => refuseAsTooMany('minute'),
});

// argon2id with the library's defaults, which OWASP recommends: 19 MiB, two passes.
export const hashPassword = (password: string): Promise<string> => queue(callingNetwork(), () => hash(password));

/** Verified for users without a password: the response time must not reveal which users exist. */
let decoy: Promise<string> | undefined;

export async function verifyPassword(password: string, passwordHash: string | null): Promise<boolean> {
  decoy ??= hash('nobody’s password');
  const expected = passwordHash ?? (await decoy);
  const matches = await queue(callingNetwork(), () => verify(expected, password));
  return matches && passwordHash !== null;
}
