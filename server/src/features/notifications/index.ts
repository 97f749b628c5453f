import {
  MAILED_ON_REQUEST,
  NOTIFICATION_KINDS,
  type NotificationKind,
  type Role,
  SHOWN_NOTIFICATIONS,
} from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';

export { notify } from './notify.ts';

/** The member, in whichever mode: notifications are about the live account. */
interface Reader {
  ownAccountId: string;
  memberId: string;
  role: Role;
}

export function serveNotifications(app: FastifyInstance, { db, now }: { db: Database; now: () => Date }): void {
  bindDashboard(app, 'listNotifications', async ({ member, answer }) => {
    const notifications = await listNotifications(db, member);
    const unread = notifications.filter(({ isRead }) => !isRead).length;
    return answer(200, { success: true, notifications, unread });
  });

  bindDashboard(app, 'markNotificationsRead', async ({ member, body, answer }) => {
    if (isUuid(body.until))
      await sql`
        update notifications set read_at = ${now()}
        where account_id = ${member.ownAccountId} and member_id = ${member.memberId} and id <= ${body.until}
          and read_at is null`.execute(db);
    return answer(200, { success: true });
  });

  bindDashboard(app, 'readNotificationChoices', async ({ member, answer }) =>
    answer(200, { success: true, choices: await readChoices(db, member) }),
  );

  bindDashboard(app, 'chooseNotification', async ({ member, body, answer }) => {
    const choice = { by_app: body.app, by_mail: body.mail };
    await db
      .insertInto('notification_choices')
      .values({ member_id: member.memberId, kind: body.kind, ...choice })
      .onConflict((conflict) => conflict.columns(['member_id', 'kind']).doUpdateSet(choice))
      .execute();
    return answer(200, { success: true, choices: await readChoices(db, member) });
  });
}

/** The latest, by their ids, which are in the order of time. */
async function listNotifications(db: Database, { ownAccountId, memberId }: Reader) {
  const rows = await db
    .selectFrom('notifications')
    .select(['id', 'kind', 'title', 'target', 'created_at', 'read_at'])
    .where('account_id', '=', ownAccountId)
    .where('member_id', '=', memberId)
    .where('in_app', '=', true)
    .orderBy('id', 'desc')
    .limit(SHOWN_NOTIFICATIONS)
    .execute();
  return rows.map(({ id, kind, title, target, created_at, read_at }) => ({
    ...{ id, kind: kind as NotificationKind, title, target },
    ...{ at: created_at.toISOString(), isRead: read_at !== null },
  }));
}

async function readChoices(db: Database, { memberId, role }: Reader) {
  const chosen = await db
    .selectFrom('notification_choices')
    .select(['kind', 'by_app', 'by_mail'])
    .where('member_id', '=', memberId)
    .execute();
  const kinds = Object.keys(NOTIFICATION_KINDS) as NotificationKind[];
  return kinds
    .filter((kind) => (NOTIFICATION_KINDS[kind] as readonly Role[]).includes(role))
    .map((kind) => {
      const own = chosen.find((choice) => choice.kind === kind);
      return { kind, app: own?.by_app ?? true, mail: own?.by_mail ?? !MAILED_ON_REQUEST.includes(kind) };
    });
}
