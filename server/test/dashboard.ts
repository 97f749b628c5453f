import {
  CSRF_HEADER,
  DASHBOARD_BASE_PATH,
  type DashboardEndpointName,
  type DashboardPart,
  dashboardRoute,
  type Method,
  type Role,
} from '@navette/contract';
import { Secret, TOTP } from 'otpauth';
import { createMember, type NewMember } from '../src/features/members/index.ts';
import { hashPassword } from '../src/secrets/hash-password.ts';
import { type Answer, callApi } from './call-api.ts';
import type { TestServer } from './test-server.ts';

export interface DashboardRequest<N extends DashboardEndpointName> {
  params?: DashboardPart<N, 'params'>;
  query?: DashboardPart<N, 'query'>;
  // Tests send wrong bodies too.
  body?: unknown;
  /** Sent unchanged, for bodies that are not JSON; the headers name its type. */
  rawBody?: string;
  headers?: Record<string, string>;
}

export type DashboardCaller = <N extends DashboardEndpointName>(
  name: N,
  request?: DashboardRequest<N>,
) => Promise<Answer>;

export interface TestMember {
  id: string;
  email: string;
  password: string;
  /** As a browser sends it back. */
  cookie: string;
  csrfToken: string;
  call: DashboardCaller;
}

interface WebRequest {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  rawBody?: string;
  headers?: Record<string, string>;
}

/** The arguments of `callApi` for a request of a browser, without or with a session. */
export function webRequest(
  baseUrl: string,
  { method, path }: { method: Method; path: string },
  session: { cookie?: string; csrfToken?: string },
  { params, query, headers, ...payload }: WebRequest,
): Parameters<typeof callApi> {
  const fields = (params ?? {}) as Record<string, string>;
  const filled = path.replaceAll(/:(\w+)/g, (_, field: string) => encodeURIComponent(String(fields[field])));
  const pairs = Object.entries((query ?? {}) as Record<string, unknown>).filter(([, value]) => value !== undefined);
  return [
    `${baseUrl}${filled}`,
    {},
    method,
    {
      ...payload,
      query: Object.fromEntries(pairs.map(([field, value]) => [field, String(value)])),
      headers: {
        ...(session.cookie ? { cookie: session.cookie } : {}),
        ...(session.csrfToken && method !== 'GET' ? { [CSRF_HEADER]: session.csrfToken } : {}),
        ...headers,
      },
    },
  ];
}

/** A browser at the dashboard's API, without or with a session. */
export const dashboardCaller =
  (url: string, session: { cookie?: string; csrfToken?: string } = {}): DashboardCaller =>
  (name, request = {}) =>
    callApi(...webRequest(`${url}${DASHBOARD_BASE_PATH}`, dashboardRoute(name), session, request));

let count = 0;
export const TEST_PASSWORD = 'cheval correct agrafe';
let testHash: Promise<string> | undefined;

/** A member of the account who has signed in. */
export async function createTestMember(
  { db, url }: Pick<TestServer, 'db' | 'url'>,
  accountId: string,
  role: Role = 'owner',
  given: Partial<Pick<NewMember, 'email' | 'name' | 'language'>> = {},
): Promise<TestMember> {
  const email = given.email ?? `${role}-${process.pid}-${++count}@example.org`;
  testHash ??= hashPassword(TEST_PASSWORD);
  const passwordHash = await testHash;
  const person = { name: 'Zoé Martin', language: 'fr', ...given, email, role, passwordHash } as const;
  const id = await createMember(db, accountId, person, new Date());
  if (!id) throw new Error('the address is taken');
  return { id, ...(await signInAs(url, email, TEST_PASSWORD)) };
}

export async function signInAs(url: string, email: string, password: string): Promise<Omit<TestMember, 'id'>> {
  const { status, headers, body } = await dashboardCaller(url)('signIn', { body: { email, password } });
  if (status !== 201) throw new Error(`sign-in answered ${status} ${JSON.stringify(body)}`);
  const session = { cookie: cookieOf(headers), csrfToken: String(body.csrfToken) };
  return { email, password, ...session, call: dashboardCaller(url, session) };
}

export const cookieOf = (headers: Headers): string => headers.getSetCookie()[0]?.split(';')[0] ?? '';

/** The code that the member's authenticator app shows. */
export const codeOf = (secret: string, at = new Date()): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });
