import { BODY_LIMIT_BYTES } from '@navette/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestStaff } from '../console.ts';
import { crowd } from '../crowd.ts';
import { createTestMember } from '../dashboard.ts';
import { createTestDriver } from '../driver-app.ts';
import type { TestServer } from '../test-server.ts';
import { faultIn } from './answer-faults.ts';
import { type GeneratedRequest, generateRequests } from './hostile-requests.ts';
import { type Api, type Operation, readOperations } from './operations.ts';
import { createTenant, credentialsOf, startAttackedServer, type Tenant } from './tenant.ts';
import { freshAddress, sendRaw, type WireAnswer } from './wire.ts';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1_300); // to each API
const AT_ONCE = 16;
const SEED = Number(process.env.FUZZ_SEED ?? 1); // the same commit gets the same verdict; another seed, other requests
const PER_SESSION = 400; // below a member's limit per minute

const APIS = ['merchant', 'dashboard', 'driver', 'console'] as const;

let server: TestServer;
let operations: Operation[];
const tenants = new Map<Api, Tenant>();
beforeAll(async () => {
  server = await startAttackedServer();
  operations = await readOperations(server.url);
  for (const api of APIS) {
    tenants.set(api, await createTenant(server, `fuzzed${api}`));
  }
});
afterAll(() => server.stop());

/** Credentials that work: a new session when the one in use has been ended, or has sent enough. */
function createCredentials(api: Api, tenant: Tenant) {
  let used = 0;
  let credentials = Promise.resolve(credentialsOf(tenant, api));
  const renew = async () => {
    if (api === 'dashboard') tenant.owners.unshift(await createTestMember(server, tenant.account.id));
    if (api === 'console') tenant.staff.unshift(await createTestStaff(server));
    if (api === 'driver') tenant.driver = await createTestDriver(server.db);
    return credentialsOf(tenant, api);
  };
  return {
    take: () => {
      if (++used % PER_SESSION === 0 && api !== 'merchant') credentials = renew();
      return credentials;
    },
    /** Called by each request that these credentials were refused to: the first one renews them for all. */
    refused: async (those: Record<string, string>) => {
      if (api === 'merchant' || those !== (await credentials)) return;
      used = 0;
      credentials = renew();
    },
  };
}

/** An answer may overtake a body that is too large anyway, and the connection then ends while it is being sent. */
function excuse({ body }: GeneratedRequest, { message }: Error): string | null {
  return (body?.length ?? 0) > BODY_LIMIT_BYTES && /EPIPE|ECONNRESET/.test(message) ? null : message;
}

function describeCall({ operation, path, headers, body }: GeneratedRequest, received: WireAnswer | undefined): string {
  const short = (text = '') => (text.length > 300 ? `${text.slice(0, 300)}… (${text.length})` : text);
  const { authorization: _key, cookie: _session, ...shown } = headers;
  return [
    `${operation.method} ${short(path)} ${short(JSON.stringify(shown))} ${short(body?.toString())}`,
    `→ ${received?.status} ${short(received?.body)}`,
  ].join('\n');
}

test.each(APIS)(
  `${REQUESTS} generated requests to the %s API all get an answer of its document, and none fails in the service`,
  async (api) => {
    const own = operations.filter((operation) => operation.api === api);
    const credentials = createCredentials(api, tenants.get(api) as Tenant);
    const calls = generateRequests(own, {}, { seed: SEED, count: REQUESTS });
    const faults: string[] = [];
    const statuses = new Map<number, number>();
    const seen = new Set<string>();
    const loggedBefore = server.logged().length;

    await crowd(AT_ONCE, calls, async (call, i) => {
      const known = [...seen][i % Math.max(1, seen.size)] ?? 'none';
      const path = call.path.replaceAll('{seen}', encodeURIComponent(known));
      const good = await credentials.take();
      const { 'x-idempotency-key': _ownKeyInEachRequest, ...credential } = good;
      const headers = { ...credential, ...freshAddress(), ...call.headers };
      const received = await sendRaw(server.url, { ...call, method: call.operation.method, path, headers }).catch(
        (error: Error) => error,
      );
      const answer = received instanceof Error ? undefined : received;
      const fault = received instanceof Error ? excuse(call, received) : faultIn(call.operation, received);
      if (fault) faults.push(`${fault}\n${describeCall(call, answer)}`);
      if (!answer) return;
      const carriedGood = !('authorization' in call.headers) && !('cookie' in call.headers);
      if (answer.status === 401 && carriedGood && !call.operation.isOpen) await credentials.refused(good);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      for (const [, id] of answer.body.matchAll(/"(?:_?id|referenceNumber)":"([^"]+)"/g)) seen.add(id ?? '');
    });

    // Where the contract reports a failure of the service as a 400, the log still shows it.
    const logged = server.logged().slice(loggedBefore).split('\n').filter(Boolean);
    const repeat = `FUZZ_SEED=${SEED}`;
    expect({ repeat, faults: faults.slice(0, 5), logged: logged.slice(0, 5) }).toEqual({
      repeat,
      faults: [],
      logged: [],
    });
    expect(calls.length).toBeGreaterThanOrEqual(REQUESTS);
    // Neither all refused nor all served: the requests reach the access control and the features.
    const passed = [...statuses].reduce((sum, [status, count]) => sum + (status < 300 ? count : 0), 0);
    expect(passed).toBeGreaterThan(calls.length / 20);
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404, 413, 415]));
  },
);
