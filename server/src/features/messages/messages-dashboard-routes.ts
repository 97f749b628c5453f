import type { DashboardErrorSlug } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { refuseAsNotFound, refuseDashboard } from '../../refusals/dashboard-refusal.ts';
import { authorizeMember, recordAct } from '../members/index.ts';
import { countSmsToday } from './count-sms.ts';
import { readMessageSettings, saveMessageSettings } from './message-settings.ts';
import { previewMessage, previewPage, type Sender } from './preview-message.ts';
import { type ResendRefusal, resendMessage } from './resend-message.ts';

export interface MessagesDashboardOptions {
  db: Database;
  jobs: JobSender;
  config: Pick<Config, 'publicUrl' | 'timeZone' | 'smsPerAccountPerDay'>;
  now: () => Date;
}

const RESEND_REFUSALS = {
  'not-possible': 'MESSAGE_NOT_SENDABLE',
  'too-soon': 'MESSAGE_SENT_RECENTLY',
  'too-often': 'MESSAGE_SENT_TOO_OFTEN',
} as const satisfies Record<ResendRefusal, DashboardErrorSlug>;

/** The page is drawn with inline styles, as mail clients need them, and loads nothing. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox",
};

/** Which messages recipients get, in which language, and what they look like. */
export function serveMessagesToDashboard(app: FastifyInstance, options: MessagesDashboardOptions): void {
  const { db, jobs, config, now } = options;
  const readSettings = async (accountId: string) => {
    const [settings, account, today] = await Promise.all([
      readMessageSettings(db, accountId),
      db.selectFrom('accounts').select('sms_per_day').where('id', '=', accountId).executeTakeFirstOrThrow(),
      countSmsToday(db, accountId, config, now()),
    ]);
    return { ...settings, sms: { today, perDay: account.sms_per_day ?? config.smsPerAccountPerDay } };
  };

  bindDashboard(app, 'readMessageSettings', async ({ member, answer }) =>
    answer(200, { success: true, settings: await readSettings(member.accountId) }),
  );

  bindDashboard(app, 'changeMessageSettings', async ({ member, body, answer }) => {
    const at = now();
    const { accountId } = member;
    const authorize = authorizeMember(member, 'ship', at);
    await db.transaction().execute(async (tx) => {
      const actor = await authorize(tx);
      await saveMessageSettings(tx, accountId, body, at);
      await recordAct(tx, accountId, actor, { act: 'message-settings-changed' }, at);
    });
    return answer(200, { success: true, settings: await readSettings(accountId) });
  });

  bindDashboard(app, 'previewMessage', async ({ member, query, answer }) => {
    const { subject, body, segments } = preview(query, await readSender(db, member.accountId));
    return answer(200, { success: true, subject, text: body, segments });
  });

  bindDashboard(app, 'showMessage', async ({ member, query, answerWith }) => {
    const page = previewPage(preview(query, await readSender(db, member.accountId)));
    return page ? answerWith(200, PAGE_HEADERS, page) : refuseAsNotFound();
  });

  bindDashboard(app, 'resendMessage', async ({ member, params, body, answer }) => {
    const at = now();
    const { accountId } = member;
    const authorize = authorizeMember(member, 'ship', at);
    await db.transaction().execute(async (tx) => {
      const actor = await authorize(tx);
      const outcome = await resendMessage(tx, jobs, accountId, { shipmentId: params.id, kind: body.kind }, at);
      if (outcome === 'unknown') return refuseAsNotFound();
      if ('refusal' in outcome) return refuseDashboard(RESEND_REFUSALS[outcome.refusal]);
      const act = { act: 'message-resent', subject: outcome.referenceNumber, subjectId: params.id } as const;
      await recordAct(tx, accountId, actor, act, at);
    });
    return answer(202, { success: true });
  });

  type Query = { kind?: Parameters<typeof previewMessage>[0]; language?: Parameters<typeof previewMessage>[1] };
  const preview = ({ kind = 'recipient-email', language = 'fr' }: Query, sender: Sender) =>
    previewMessage(kind, language, sender, config);
}

async function readSender(db: Database, accountId: string): Promise<Sender> {
  const row = await db
    .selectFrom('accounts as a')
    .leftJoin('shop_pages as p', 'p.account_id', 'a.id')
    .select(['a.name', 'p.contact_email', 'p.contact_phone'])
    .where('a.id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { merchantName: row.name, shop: { email: row.contact_email, phone: row.contact_phone } };
}
