import type { Language } from '@navette/contract';
import type { SignedInMember } from '../../http/member-authentication.ts';
import type { MembersOptions } from './members-options.ts';
import { requireActor } from './require-actor.ts';
import { recordAct } from './security-log.ts';

/** Records a new name in the security log, since the team knows members by their name. */
export async function changeProfile(
  { db }: Pick<MembersOptions, 'db'>,
  member: SignedInMember,
  { name, language }: { name: string; language: Language },
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const actor = await requireActor(tx, member, 'self', now);
    await tx.updateTable('members').set({ name, language }).where('id', '=', member.memberId).execute();
    if (actor.name !== name)
      await recordAct(tx, member.ownAccountId, actor, { act: 'name-changed', subject: name }, now);
  });
}
