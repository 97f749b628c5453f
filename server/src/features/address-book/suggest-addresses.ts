import type { AddressSuggestion } from '@navette/contract';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { AddressSource } from '../../adapters/geocoder/address-source.ts';
import { GeocoderUnavailable } from '../../adapters/geocoder/geocoder.ts';
import type { RateLimiter } from '../../http/rate-limiter.ts';

/** A fast typist pauses less than twice a second. The geocoder is shared by all members. */
const ASKED_PER_MEMBER = { minute: 60, hour: 1_200, day: 5_000 };
const SHORTEST_ADDRESS = 3; // characters; the national address service refuses less
const CACHE = { max: 2_000, ttl: 10 * 60_000 }; // of a process: colleagues type the same streets

/** Completes what a member types. Never fails: without suggestions the form is filled in by hand. */
export function createSuggestions(source: AddressSource, rateLimiter: RateLimiter, log: FastifyBaseLogger) {
  const known = new LRUCache<string, AddressSuggestion[]>(CACHE);

  return async (memberId: string, { text, kind }: { text: string; kind: 'address' | 'town' }) => {
    const typed = text.replaceAll(/\s+/g, ' ').trim();
    if (kind === 'town') return source.towns(typed);
    if (!source.addresses || typed.length < SHORTEST_ADDRESS) return [];
    const key = typed.toLowerCase();
    const cached = known.get(key);
    if (cached) return cached;
    const { exhausted } = await rateLimiter.take(`address-suggestions:${memberId}`, ASKED_PER_MEMBER);
    if (exhausted) return [];
    try {
      const found = await source.addresses(typed);
      known.set(key, found);
      return found;
    } catch (error) {
      if (!(error instanceof GeocoderUnavailable)) throw error;
      log.warn({ err: error }, 'no address suggestions');
      return [];
    }
  };
}
