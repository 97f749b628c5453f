import { LANGUAGES, ROLES } from '@navette/contract/dashboard-roles';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { MailedInvitation } from '../features/members/index.ts';
import { isEmail } from '../validation/email.ts';
import { CommandFailure, UsageError } from './failure.ts';
import { readId, readOneOf } from './input.ts';
import { noOpenAccount, refuseUnknownAccount } from './known-account.ts';
import { accountSubject, actAtCommandLine, recordedAtCommandLine } from './operator-context.ts';
import { type OutputOptions, printRecord, printTable } from './output.ts';
import { refusalAsFailure } from './refusal-as-failure.ts';
import { withEngines, withJobs } from './with-engines.ts';

interface InviteOptions extends OutputOptions {
  role: string;
  language: string;
}

const members = () => import('../features/members/index.ts');

/** Commands for the members of an account. */
export function addMemberCommands(account: Command): void {
  account
    .command('invite <account> <email>')
    .description('invite a person to the dashboard: print the link, and mail it when MAIL_URL is set')
    .option('--role <role>', `one of ${ROLES.join(', ')}`, 'owner')
    .option('--language <language>', `language of the mail and the page: ${LANGUAGES.join(' or ')}`, 'fr')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
The link works once, for seven days. Another invitation of the same address replaces the link.

Examples:
  navette account invite ACCOUNT zoe@example.org
  navette account invite ACCOUNT dev@example.org --role developer --language en`,
    )
    .action(async (accountId: string, email: string, { role, language, ...output }: InviteOptions) => {
      const id = readId(accountId);
      if (!isEmail(email) || email.length > 254) throw new UsageError(`"${email}" is not an e-mail address`);
      const request = {
        email,
        role: readOneOf('role', ROLES, role),
        language: readOneOf('language', LANGUAGES, language),
      };
      await withEngines(async ({ db, config }) => {
        const { inviteAsOperator } = await members();
        const subject = await accountSubject(db, id);
        const recorded = await recordedAtCommandLine<object | null>(db, (invited) =>
          invited ? { act: 'member.invited', subject, details: { role } } : null,
        );
        const invited = await refusalAsFailure(inviteAsOperator(recorded, id, request, config.publicUrl));
        if (!invited) throw noOpenAccount(id);
        const { link, expiresAt } = invited;
        printRecord({ email, role, link, expiresAt, mailed: await mail(config, invited) }, output);
      });
    });

  account
    .command('members <account>')
    .description('list the members of an account')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette account members ACCOUNT')
    .action((accountId: string, output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { listMembers } = await members();
        const id = readId(accountId);
        const rows = (await listMembers(db, id, new Date())).map(({ secondFactorSince, ...member }) => ({
          ...member,
          secondFactor: secondFactorSince !== null,
        }));
        if (rows.length === 0) await refuseUnknownAccount(db, id);
        const columns = ['id', 'name', 'email', 'role', 'secondFactor', 'lastSeenAt', 'createdAt'];
        printTable(rows, columns, output, 'No member yet: `navette account invite ACCOUNT EMAIL` invites the first.');
      }),
    );

  account
    .command('remove-member <account> <email>')
    .description('remove a member from an account: their sessions end at once')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette account remove-member ACCOUNT zoe@example.org')
    .action((accountId: string, email: string, output: OutputOptions) =>
      withEngines(async (engines) => {
        const { removeAsOperator } = await members();
        const { db } = engines;
        const id = readId(accountId);
        const subject = await accountSubject(db, id);
        const recorded = await recordedAtCommandLine(db, () => ({ act: 'member.removed', subject }));
        if (!(await withJobs(engines, (jobs) => refusalAsFailure(removeAsOperator({ db: recorded, jobs }, id, email)))))
          throw new CommandFailure(`the account has no member ${email}`);
        printRecord({ removed: email }, output);
      }),
    );

  account
    .command('reset-link <account> <email>')
    .description('create a password reset link, for members without e-mail')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nVerify the identity of the recipient first. The link works once, for one hour.\n\nExample:\n  navette account reset-link ACCOUNT zoe@example.org',
    )
    .action((accountId: string, email: string, output: OutputOptions) =>
      withEngines(async ({ db, config }) => {
        const { createResetLink } = await members();
        const id = readId(accountId);
        const link = await actAtCommandLine(db, async (joined) => {
          const result = await createResetLink(joined, id, email, config.publicUrl);
          if (!result) throw new CommandFailure(`the account has no member ${email}`);
          return { result, act: { act: 'member.reset_link_made', subject: await accountSubject(joined, id) } };
        });
        printRecord({ email, link }, output);
      }),
    );

  account
    .command('reset-second-factor <account> <email>')
    .description('remove the second factor of a member who lost phone and recovery codes')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nVerify the identity of the member first. Ends their sessions, removes their passkeys, and notifies them by mail.\n\nExample:\n  navette account reset-second-factor ACCOUNT zoe@example.org',
    )
    .action((accountId: string, email: string, output: OutputOptions) =>
      withEngines(async (engines) => {
        const { resetSecondFactor } = await members();
        const { db } = engines;
        const id = readId(accountId);
        const subject = await accountSubject(db, id);
        const recorded = await recordedAtCommandLine<boolean>(db, (isFound) =>
          isFound ? { act: 'member.second_factor_removed', subject } : null,
        );
        if (!(await withJobs(engines, (jobs) => resetSecondFactor({ db: recorded, jobs }, id, email))))
          throw new CommandFailure(`the account has no member ${email}`);
        printRecord({ email, secondFactor: false }, output);
      }),
    );
}

/** False when no relay is configured or it refused the mail. The link is printed in any case. */
async function mail(config: Config, invitation: MailedInvitation): Promise<boolean> {
  if (!config.mailUrl) return false;
  const { createMailSender } = await import('../adapters/mail/create-mail-sender.ts');
  const { mailInvitation } = await members();
  const sender = createMailSender(config);
  try {
    const { kind } = await mailInvitation(sender, invitation);
    return kind === 'accepted';
  } finally {
    await sender.close();
  }
}
