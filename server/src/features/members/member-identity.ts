import type { SignedInMember } from '../../http/member-authentication.ts';
import type { Identity, Person } from '../../identity/identity.ts';
import { MEMBERS } from '../../identity/people.ts';
import { sendMemberMailJob } from '../../jobs/definitions.ts';
import { requireActor } from './require-actor.ts';
import { actorOf, recordAct, UNKNOWN } from './security-log.ts';

/** How members sign in: in the tables of members, with the account's security log. */
export const MEMBER_IDENTITY: Identity<SignedInMember> = {
  people: MEMBERS,
  personOf: ({ memberId, ownAccountId, accountName, ...member }) => ({
    ...member,
    personId: memberId,
    accountId: ownAccountId, // the security log of people is the live account's, also in test mode
    words: [accountName],
  }),
  async require(tx, member, now) {
    const { id, email, name } = await requireActor(tx, member, 'self', now);
    return { personId: id, accountId: member.ownAccountId, email, name };
  },
  async record(tx, { act, person, by, device }, now) {
    const isFailure = by === null || act === 'confirmation-failed' || FAILURES.has(act);
    const about = isFailure ? { subject: person.email, subjectId: person.personId } : device ? { subject: device } : {};
    await recordAct(tx, accountOf(person), by ? actorOf(memberOf(by)) : UNKNOWN, { act, ...about }, now);
  },
  notify: (tx, jobs, kind, id) => jobs.send(tx, sendMemberMailJob, { kind, id }),
};

const FAILURES: ReadonlySet<string> = new Set(['password-locked', 'codes-locked', 'many-failures']);

const memberOf = ({ personId, email, name }: Person) => ({ memberId: personId, email, name });

function accountOf({ accountId }: Person): string {
  if (accountId === null) throw new Error('a member without an account');
  return accountId;
}
