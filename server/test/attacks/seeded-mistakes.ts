import type { Mistake } from '../mistakes.ts';

/**
 * Each with the attack that must detect it. run-seeded-mistakes.ts makes them one by one in a copy of the project;
 * mistakes.unit.test.ts checks that each still fits the code.
 */
export interface AttackMistake extends Mistake {
  /** The file of this folder that must fail. */
  caughtBy: string;
}

export const MISTAKES: AttackMistake[] = [
  {
    name: 'a WHERE without its account: reading a shipment',
    file: 'server/src/features/shipments/read-shipment.ts',
    replace: ['join shipments s on s.account_id = w.account_id and s.', 'join shipments s on s.'],
    caughtBy: '01-foreign-ids.test.ts',
  },
  {
    name: 'a WHERE without its account: reading an import',
    file: 'server/src/features/imports/read-imports.ts',
    replace: [
      "db.selectFrom('imports').selectAll().where('account_id', '=', accountId);",
      "db.selectFrom('imports').selectAll().where('id', '!=', accountId);",
    ],
    caughtBy: '01-foreign-ids.test.ts',
  },
  {
    name: 'a role that is not checked',
    file: 'server/src/http/web-authentication.ts',
    replace: ['    refuseByRole(person, endpoint);\n', ''],
    caughtBy: '02-crossed-credentials.test.ts',
  },
  {
    name: 'a field that no schema names, stored all the same',
    file: 'server/src/features/members/profile-routes.ts',
    replace: [
      'async ({ member, body: { name, language }, answer }) => {\n    await changeProfile(options, member, { name, language }, now());',
      "async ({ member, body, answer }) => {\n    const { name, language, password_hash } = body as typeof body & { password_hash: string };\n    await options.db.updateTable('members').set({ name, language, password_hash }).where('id', '=', member.memberId).execute();",
    ],
    caughtBy: '03-mass-assignment.test.ts',
  },
  {
    name: 'permission that is decided before the body only: the merchant API',
    file: 'server/src/http/merchant-authentication.ts',
    replace: [
      'await admit(request, reply, await findKey(request), clientId);',
      'if (!request.caller) await admit(request, reply, await findKey(request), clientId);',
    ],
    caughtBy: '04-held-bodies.test.ts',
  },
  {
    name: 'permission that is decided before the body only: the dashboard',
    file: 'server/src/http/web-authentication.ts',
    replace: ['if (endpoint.needs !== null && hasBody(request)) await authorise(request, reply, endpoint);', ''],
    caughtBy: '04-held-bodies.test.ts',
  },
  {
    name: 'a missing CSRF check',
    file: 'server/src/http/web-authentication.ts',
    replace: ['if (changes(request)) refuseBadCsrfToken(request, person.csrfToken);', ''],
    caughtBy: '07-cross-site-requests.test.ts',
  },
  {
    name: 'a webhook that may go to any address',
    file: 'server/src/adapters/endpoint/address-check.ts',
    replace: ["if (address.range() !== 'unicast') return false;", ''],
    caughtBy: '12-inner-addresses.test.ts',
  },
  {
    name: 'a formula that is written as it came',
    file: 'server/src/output-formats/write-csv.ts',
    replace: ['text.replace(ESCAPE, "\'")', 'text'],
    caughtBy: '16-csv-formulas.test.ts',
  },
  {
    name: 'a text that is not escaped',
    file: 'server/src/features/tracking/html.ts',
    replace: ['escapeHtml(String(part))', 'String(part)'],
    caughtBy: '17-cross-site-scripting.test.ts',
  },
  {
    name: 'a page without a policy against frames',
    file: 'server/src/http/response-headers.ts',
    replace: [', "frame-ancestors \'none\'"', ''],
    caughtBy: '17-cross-site-scripting.test.ts',
  },
  {
    name: 'a filter that is pasted into its statement',
    file: 'server/src/features/shipment-desk/shipment-candidates.ts',
    replace: [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a file
      'and s.group_reference = $5 ${next}`,\n      values: [groupReference],',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a file
      "and s.group_reference = '${groupReference}' ${next}`,\n      values: [],",
    ],
    caughtBy: '15-sql-injection.test.ts',
  },
  {
    name: 'a wrong delivery code that is not counted',
    file: 'server/src/features/runs/move-run.ts',
    replace: ['wrong_delivery_codes: wrongCodes + 1,', 'wrong_delivery_codes: wrongCodes,'],
    caughtBy: '29-delivery-codes.test.ts',
  },
  {
    name: 'a log line that repeats the address of the request',
    file: 'server/src/http/access-log.ts',
    replace: ["request.routeOptions.url ?? 'unknown'", 'request.url'],
    caughtBy: '30-secrets-and-traces.test.ts',
  },
  {
    name: 'SMS to every country',
    file: 'server/src/features/messages/phone-number.ts',
    replace: ["if (!countries.includes(found.country ?? '')) return", 'if (countries.length === 0) return'],
    caughtBy: '28-sms-abuse.test.ts',
  },
  {
    name: 'a hash before its budget',
    file: 'server/src/http/throttle-unauthenticated.ts',
    replace: ['failedAttempts.take(request.ip) ?? (await refuseThrottled())', '() => {}'],
    caughtBy: '11-hashing-flood.long.test.ts',
  },
  {
    name: 'a hash before the token of a link is looked up',
    file: 'server/src/identity/reset-password.ts',
    replace: [
      'const { personId, email, name, words } = (await findReset(db, people, token, now))',
      'await hashPassword(password);\n  const { personId, email, name, words } = (await findReset(db, people, token, now))',
    ],
    caughtBy: '11-hashing-flood.long.test.ts',
  },
];
