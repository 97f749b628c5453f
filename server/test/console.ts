import { randomUUIDv7 } from 'node:crypto';
import {
  CONSOLE_BASE_PATH,
  type ConsoleEndpointName,
  type ConsolePart,
  consoleRoute,
  type StaffRole,
} from '@navette/contract';
import { createStaffSessions } from '../src/features/staff/index.ts';
import { STAFF } from '../src/identity/people.ts';
import { openSession } from '../src/identity/sessions.ts';
import { hashPassword } from '../src/secrets/hash-password.ts';
import { type Answer, callApi } from './call-api.ts';
import { TEST_PASSWORD, webRequest } from './dashboard.ts';
import type { TestServer } from './test-server.ts';

export interface ConsoleRequest<N extends ConsoleEndpointName> {
  params?: ConsolePart<N, 'params'>;
  query?: ConsolePart<N, 'query'>;
  // Tests send wrong bodies too.
  body?: unknown;
  rawBody?: string;
  headers?: Record<string, string>;
}

export type ConsoleCaller = <N extends ConsoleEndpointName>(name: N, request?: ConsoleRequest<N>) => Promise<Answer>;

export interface TestStaff {
  id: string;
  name: string;
  email: string;
  password: string;
  /** As a browser sends it back. */
  cookie: string;
  csrfToken: string;
  call: ConsoleCaller;
}

/** A browser at the console's API, without or with a session. */
export const consoleCaller =
  (url: string, session: { cookie?: string; csrfToken?: string } = {}): ConsoleCaller =>
  (name, request = {}) =>
    callApi(...webRequest(`${url}${CONSOLE_BASE_PATH}`, consoleRoute(name), session, request));

let count = 0;
let testHash: Promise<string> | undefined;

/** A staff member with a session. The second factor counts as set up, without a code that anybody knows. */
export async function createTestStaff(
  { db, url }: Pick<TestServer, 'db' | 'url'>,
  role: StaffRole = 'admin',
  given: { name?: string; email?: string; hasSecondFactor?: boolean } = {},
): Promise<TestStaff> {
  const {
    name = `Alex ${role}`,
    email = `${role}-${process.pid}-${++count}@navette.example`,
    hasSecondFactor = true,
  } = given;
  testHash ??= hashPassword(TEST_PASSWORD);
  const now = new Date();
  const id = randomUUIDv7();
  const secondFactor = hasSecondFactor
    ? { second_factor_key: 'test', sealed_second_factor: Buffer.from('sealed'), second_factor_since: now }
    : {};
  await db
    .insertInto('staff')
    .values({ id, email, name, role, language: 'fr', password_hash: await testHash, created_at: now, ...secondFactor })
    .execute();
  const token = await openSession(db, STAFF, { personId: id, device: null }, now);
  const session = { cookie: `__Host-navette-console=${token}`, csrfToken: '' };
  session.csrfToken = (await createStaffSessions(db, () => now).find(token))?.csrfToken ?? '';
  return { id, name, email, password: TEST_PASSWORD, ...session, call: consoleCaller(url, session) };
}
