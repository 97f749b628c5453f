import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFakeGeocoder } from '../../../test/fake-geocoder.ts';
import { GeocoderUnavailable } from './geocoder.ts';
import { createNationalAddressService } from './national-address-service.ts';

const HANG_TIMEOUT_MS = 2_000; // long enough for a busy machine to answer the second request
const ADDRESS = { street: '12 rue Oberkampf', city: 'Paris', postalCode: '75011', country: 'France' };

let fake: Awaited<ReturnType<typeof startFakeGeocoder>>;

beforeEach(async () => {
  fake = await startFakeGeocoder();
});
afterEach(() => fake.stop());

function service(options: { timeoutMs?: number; attempts?: number } = {}) {
  return createNationalAddressService({ baseUrl: fake.url, retryDelayMs: 1, ...options });
}

async function failureOf(lookup: Promise<unknown>): Promise<unknown> {
  return lookup.then(
    () => expect.fail('expected a failure'),
    (error: unknown) => error,
  );
}

describe('a place that is found', () => {
  it('is asked for in one search with the street and city, filtered by postal code', async () => {
    expect(await service().find({ ...ADDRESS, street: ' 12  rue Oberkampf ', postalCode: '75 011' })).toEqual({
      latitude: 48.856614,
      longitude: 2.352222,
      precision: 'address',
    });
    expect(fake.requests.map(({ pathname, searchParams }) => [pathname, Object.fromEntries(searchParams)])).toEqual([
      ['/search', { q: '12 rue Oberkampf Paris', postcode: '75011', limit: '1' }],
    ]);
  });

  it('keeps the path of a base URL that ends with a slash', async () => {
    const service = createNationalAddressService({ baseUrl: `${fake.url}/geocodage/`, attempts: 1 });
    await expect(service.find(ADDRESS)).rejects.toThrow('status 404'); // a wrong base is not "no such address"
    expect(fake.requests[0]?.pathname).toBe('/geocodage/search');
  });

  it.each([
    ['housenumber', 'address'],
    ['street', 'address'],
    ['locality', 'address'],
    ['municipality', 'town'],
  ] as const)('of type %s has the precision of a(n) %s', async (type, precision) => {
    fake.answerWith({ latitude: 45, longitude: 5, type });
    expect(await service().find(ADDRESS)).toEqual({ latitude: 45, longitude: 5, precision });
  });

  it.each(['FR', 'fra', ' France '])('may be in a country written %j', async (country) => {
    expect(await service().find({ ...ADDRESS, country })).not.toBeNull();
  });
});

describe('nothing found', () => {
  it.each([
    ['an empty answer', 'nothing'],
    ['a refused query', 'refusal'],
    ['a guess with a low score', { latitude: 45, longitude: 5, score: 0.29 }],
    ['a latitude out of range', { latitude: 95, longitude: 5 }],
    ['a longitude out of range', { latitude: 45, longitude: -181 }],
    ['the point 0,0', { latitude: 0, longitude: 0 }],
  ] as const)('%s is final: null, and not asked again', async (_, answer) => {
    fake.answerWith(answer);
    expect(await service().find(ADDRESS)).toBeNull();
    expect(fake.requests).toHaveLength(1);
  });

  it.each(['Belgique', 'GB', ''])('a country written %j is not asked for at all', async (country) => {
    expect(await service().find({ ...ADDRESS, country })).toBeNull();
    expect(fake.requests).toHaveLength(0);
  });

  it('a very long street is cut to what the service accepts', async () => {
    await service().find({ ...ADDRESS, street: 'a'.repeat(5_000) });
    expect(fake.requests[0]?.searchParams.get('q')).toHaveLength(200);
  });
});

describe('a service that cannot be asked', () => {
  it.each(['error', 'throttle', 'hang'] as const)('%s is tried again and the second answer counts', async (first) => {
    fake.answerWith(first, { latitude: 45, longitude: 5 });
    expect(await service({ timeoutMs: HANG_TIMEOUT_MS }).find(ADDRESS)).toMatchObject({ latitude: 45, longitude: 5 });
    expect(fake.requests).toHaveLength(2);
  });

  it.each([
    ['error', 2],
    ['throttle', 2],
    ['hang', 2],
    ['garbage', 1],
    ['wrong-shape', 1],
    ['flood', 1],
  ] as const)('%s is reported as unavailable after %i request(s), without the address', async (answer, requests) => {
    fake.answerWith(answer);
    const timeoutMs = answer === 'hang' ? HANG_TIMEOUT_MS : 2_000;
    const error = await failureOf(service({ timeoutMs, attempts: 2 }).find(ADDRESS));
    expect(error).toBeInstanceOf(GeocoderUnavailable);
    expect(`${(error as Error).stack} ${String((error as Error).cause)}`).not.toMatch(/Oberkampf|75011/);
    expect(fake.requests).toHaveLength(requests);
  });

  it('a refused connection is reported as unavailable with its kind only', async () => {
    const stopped = await startFakeGeocoder();
    await stopped.stop();
    const error = await failureOf(
      createNationalAddressService({ baseUrl: stopped.url, retryDelayMs: 1 }).find(ADDRESS),
    );
    expect(error).toEqual(new GeocoderUnavailable('ECONNREFUSED'));
  });

  it('a base URL that is none is refused at start-up', () => {
    expect(() => createNationalAddressService({ baseUrl: 'not a url' })).toThrow(TypeError);
  });
});
