import { CONSOLE_BASE_PATH, type ConsoleEndpointName, type ConsolePart, consoleRoute } from '@navette/contract';
import { callApi } from '../../server/test/call-api.ts';
import { codeOf, cookieOf, webRequest } from '../../server/test/dashboard.ts';
import { type Patience, type PatientAnswer, untilAnswered } from './patience.ts';

/** A staff member at the console's API, who retries after a failure and alternates between the api processes. */
export interface StaffMember {
  name: string;
  call<N extends ConsoleEndpointName>(
    name: N,
    request?: { params?: ConsolePart<N, 'params'>; query?: ConsolePart<N, 'query'>; body?: ConsolePart<N, 'body'> },
  ): Promise<PatientAnswer>;
}

const DOMAIN = '@staff.example';
export const isStaff = (email: string): boolean => email.endsWith(DOMAIN);

const PASSWORD = 'vélo canal marronnier lanterne';

/** Invited at the command line; accepts the invitation, sets up a second factor, and works with that session. */
export async function hireStaff(
  navette: (args: string[]) => Promise<unknown>,
  urls: string[],
  patience: Patience,
  name: string,
): Promise<StaffMember> {
  const session = { cookie: '', csrfToken: '' };
  const call: StaffMember['call'] = (endpoint, request = {}) =>
    untilAnswered(async (attempt) => {
      const url = `${urls[attempt % urls.length]}${CONSOLE_BASE_PATH}`;
      const answer = await callApi(...webRequest(url, consoleRoute(endpoint), session, request));
      session.cookie = cookieOf(answer.headers) || session.cookie;
      session.csrfToken = answer.body?.csrfToken ?? session.csrfToken;
      return answer;
    }, patience);

  const email = `${name.toLowerCase().replaceAll(/\W/g, '.')}${DOMAIN}`;
  const { link } = (await navette(['staff', 'invite', email, '--role', 'admin', '--print'])) as { link: string };
  const token = new URL(link).hash.slice(1).replace(/^token=/, '');
  await succeeded(call('acceptInvitation', { body: { token, name, password: PASSWORD, language: 'fr' } }));
  const { secret } = await succeeded(call('startSecondFactor', { body: { password: PASSWORD } }));
  await succeeded(call('confirmSecondFactor', { body: { code: codeOf(secret) } }));
  await succeeded(call('readSession'));
  return { name, call };
}

async function succeeded(answer: Promise<PatientAnswer>) {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`the console answered ${status} ${JSON.stringify(body)}`);
  return body;
}
