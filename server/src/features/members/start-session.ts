import type { FastifyRequest } from 'fastify';
import { describeDevice } from '../../http/describe-device.ts';
import { MEMBER_COOKIE } from '../../http/session-cookie.ts';
import { MEMBERS } from '../../identity/people.ts';
import type { Browser } from '../../identity/sign-in.ts';
import { refuseDashboard } from '../../refusals/dashboard-refusal.ts';
import { presentSession } from './member-json.ts';
import type { MembersOptions } from './members-options.ts';

/** The response to a sign-in: the session, and its cookie. */
export async function startSession({ sessions }: Pick<MembersOptions, 'sessions'>, token: string) {
  const member = (await sessions.find(token)) ?? refuseDashboard('NOT_SIGNED_IN');
  return { session: presentSession(member), cookie: MEMBER_COOKIE.set(token, MEMBERS.sessionSeconds) };
}

export const browserOf = (request: FastifyRequest): Browser => ({
  device: describeDevice(request.headers['user-agent']),
  oldToken: MEMBER_COOKIE.read(request),
});
