import type { SignedInStaff } from '../../http/staff-authentication.ts';
import type { Identity } from '../../identity/identity.ts';
import { STAFF } from '../../identity/people.ts';
import { sendStaffMailJob } from '../../jobs/definitions.ts';
import { recordOperatorAct } from './operator-log.ts';
import { requireStaff } from './require-staff.ts';

/** How staff sign in: in the tables of staff, with the log of acts. */
export const STAFF_IDENTITY: Identity<SignedInStaff> = {
  people: STAFF,
  personOf: ({ staffId, ...staff }) => ({ ...staff, personId: staffId, accountId: null, words: [] }),
  async require(tx, staff, now, stage) {
    const { id, name } = await requireStaff(tx, staff, stage ?? 'self', now);
    return { personId: id, accountId: null, email: staff.email, name };
  },
  async record(tx, { act, person, by, device }, now) {
    await recordOperatorAct(
      tx,
      by ? { kind: 'staff', id: by.personId, name: by.name } : { kind: 'unknown' },
      {
        act: `staff.${act.replaceAll('-', '_')}`,
        subject: { type: 'staff', id: person.personId, title: person.name },
        ...(device ? { details: { device } } : {}),
      },
      now,
    );
  },
  notify: (tx, jobs, kind, id) => jobs.send(tx, sendStaffMailJob, { kind, id }),
};
