import { setTimeout as delay } from 'node:timers/promises';
import type { AddressSuggestion } from '@navette/contract';
import { AnswerTooLong, readTextUpTo } from '../read-text-up-to.ts';
import type { AddressQuery, GeocodedPoint, Geocoder } from './geocoder.ts';
import { GeocoderUnavailable } from './geocoder.ts';
import { isFrance } from './is-france.ts';
import { readNearestFeature, readSuggestions } from './nearest-feature.ts';

const QUERY_MAX_LENGTH = 200; // characters; the service refuses a longer q
const SUGGESTIONS = 6;
const SUGGESTION_TIMEOUT_MS = 1_000; // a person is typing
const ANSWER_MAX_BYTES = 256 * 1024; // one feature takes about 1 kB

interface ServiceOptions {
  /** Without `/search`, e.g. the national service's `…/geocodage`. */
  baseUrl: string;
  /** Of one attempt, response body included. */
  timeoutMs?: number;
  attempts?: number;
  retryDelayMs?: number;
}

/**
 * The French national address base (BAN), or any other server with the Addok protocol:
 * `GET {base}/search?q&postcode&limit` returns a GeoJSON FeatureCollection, best match first.
 *
 * Temporary failures (network, timeout, 429, 5xx) are retried, then reported as unavailable. 400 and 422 mean that the
 * address is invalid. Any other status (401, 404, …) means that the configuration is wrong, and is reported as
 * unavailable too.
 */
export function createNationalAddressService({
  baseUrl,
  timeoutMs = 2_000,
  attempts = 2,
  retryDelayMs = 100,
}: ServiceOptions): Geocoder & { suggest(text: string): Promise<AddressSuggestion[]> } {
  // Parsed here, so that an invalid URL fails at start-up instead of in an error that contains an address.
  const searchUrl = new URL(`${baseUrl.replace(/\/+$/, '')}/search`);

  async function find(address: AddressQuery): Promise<GeocodedPoint | null> {
    if (!isFrance(address.country)) return null;
    const url = searchFor(searchUrl, address);

    for (let attempt = 1; ; attempt += 1) {
      const outcome = await ask(url, timeoutMs, readNearestFeature);
      if ('found' in outcome) return outcome.found;
      if (attempt >= attempts) throw new GeocoderUnavailable(outcome.failure);
      await delay(retryDelayMs);
    }
  }

  /** One attempt: the next key asks again. */
  async function suggest(text: string): Promise<AddressSuggestion[]> {
    const url = new URL(searchUrl);
    url.searchParams.set('q', text.slice(0, QUERY_MAX_LENGTH));
    url.searchParams.set('autocomplete', '1');
    url.searchParams.set('limit', String(SUGGESTIONS));
    const outcome = await ask(url, SUGGESTION_TIMEOUT_MS, readSuggestions);
    if ('failure' in outcome) throw new GeocoderUnavailable(outcome.failure);
    return outcome.found ?? [];
  }

  return { find, suggest };
}

function searchFor(searchUrl: URL, { street, city, postalCode }: AddressQuery): URL {
  const url = new URL(searchUrl);
  const words = `${street} ${city}`.replace(/\s+/g, ' ').trim();
  url.searchParams.set('q', words.slice(0, QUERY_MAX_LENGTH));
  url.searchParams.set('postcode', postalCode.replace(/\s/g, ''));
  url.searchParams.set('limit', '1');
  return url;
}

/** Returns failures that are worth a retry as `failure`, and throws the others. */
async function ask<T>(
  url: URL,
  timeoutMs: number,
  read: (body: string) => T,
): Promise<{ found: T | null } | { failure: string }> {
  let body: string;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) {
      await response.body?.cancel(); // an unread body would keep its connection busy
      if (response.status === 400 || response.status === 422) return { found: null };
      return { failure: `status ${response.status}` };
    }
    body = await readTextUpTo(response, ANSWER_MAX_BYTES);
  } catch (error) {
    if (error instanceof AnswerTooLong) throw new GeocoderUnavailable('answer too long');
    return { failure: networkFailure(error) };
  }
  return { found: read(body) };
}

/** The kind of failure only (`TimeoutError`, `ECONNREFUSED`): messages may contain the URL, hence the address. */
function networkFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'network';
  const { cause } = error;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return error.name;
}
