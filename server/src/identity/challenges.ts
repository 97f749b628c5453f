import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';

const CHALLENGE_SECONDS = 300; // time to unlock a phone
const MOST_IN_MEMORY = 10_000;

/** Random values that a browser must sign. Each is accepted once, and only for the subject for which it was issued. */
export interface Challenges {
  issue(subject: string): Promise<string>;
  /** Uses it up. Returns false if it was not issued for this subject, has expired, or was used. */
  use(subject: string, challenge: string): Promise<boolean>;
}

const newChallenge = () => randomBytes(32).toString('base64url');

/** Without Redis no challenge is accepted: people sign in with their password meanwhile. */
export function createRedisChallenges(redis: Redis, prefix: string): Challenges {
  const keyOf = (subject: string, challenge: string) => `${prefix}challenge:${subject}:${challenge}`;
  return {
    async issue(subject) {
      const challenge = newChallenge();
      await redis.set(keyOf(subject, challenge), '1', 'EX', CHALLENGE_SECONDS).catch(() => null);
      return challenge;
    },
    use: async (subject, challenge) => (await redis.getdel(keyOf(subject, challenge)).catch(() => null)) !== null,
  };
}

export function createMemoryChallenges(): Challenges & { clear(): void } {
  const issued = new LRUCache<string, true>({ max: MOST_IN_MEMORY, ttl: CHALLENGE_SECONDS * 1_000 });
  return {
    async issue(subject) {
      const challenge = newChallenge();
      issued.set(`${subject}:${challenge}`, true);
      return challenge;
    },
    use: async (subject, challenge) => {
      const key = `${subject}:${challenge}`;
      return issued.has(key) && issued.delete(key);
    },
    clear: () => issued.clear(),
  };
}
