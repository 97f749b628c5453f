import { LANGUAGES, type Language, ROLES, type Role } from '@navette/contract/dashboard-roles';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { MailedInvitation } from '../features/members/index.ts';
import { CommandFailure, UsageError } from './failure.ts';
import { readId } from './input.ts';
import { noOpenAccount, refuseUnknownAccount } from './known-account.ts';
import { type OutputOptions, printRecord, printTable } from './output.ts';
import { withEngines } from './with-engines.ts';

interface InviteOptions extends OutputOptions {
  role: string;
  language: string;
}

const ADDRESS = /^[^\s@<>,]+@[^\s@<>,]+\.[^\s@<>,]+$/;

const members = () => import('../features/members/index.ts');

/** The people of an account, as far as the operator has to do with them. */
export function addMemberCommands(account: Command): void {
  account
    .command('invite <account> <email>')
    .description('invite somebody to the dashboard: prints the link, and mails it when MAIL_URL is set')
    .option('--role <role>', `one of ${ROLES.join(', ')}`, 'owner')
    .option('--language <language>', `of the mail and the page: ${LANGUAGES.join(' or ')}`, 'fr')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
The link works once, for seven days. Inviting the same address again makes a new link, and the one before is dead.

Examples:
  navette account invite ACCOUNT zoe@example.org
  navette account invite ACCOUNT dev@example.org --role developer --language en`,
    )
    .action(async (accountId: string, email: string, { role, language, ...output }: InviteOptions) => {
      const id = readId(accountId);
      if (!ADDRESS.test(email) || email.length > 254) throw new UsageError(`"${email}" is not an e-mail address`);
      const request = { email, role: oneOf('role', ROLES, role), language: oneOf('language', LANGUAGES, language) };
      await withEngines(async ({ db, config }) => {
        const { inviteAsOperator } = await members();
        const invited = await orFailure(inviteAsOperator(db, id, request, config.publicUrl));
        if (!invited) throw noOpenAccount(id);
        const { link, expiresAt } = invited;
        printRecord({ email, role, link, expiresAt, mailed: await mail(config, invited) }, output);
      });
    });

  account
    .command('members <account>')
    .description('who works with the dashboard of an account')
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
    .command('reset-link <account> <email>')
    .description('a link to set a new password, for a member who gets no mail')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nBe sure whom you give it to. It works once, for one hour.\n\nExample:\n  navette account reset-link ACCOUNT zoe@example.org',
    )
    .action((accountId: string, email: string, output: OutputOptions) =>
      withEngines(async ({ db, config }) => {
        const { makeResetLink } = await members();
        const link = await makeResetLink(db, readId(accountId), email, config.publicUrl);
        if (!link) throw new CommandFailure(`the account has no member ${email}`);
        printRecord({ email, link }, output);
      }),
    );

  account
    .command('reset-second-factor <account> <email>')
    .description('for a member who lost telephone and recovery codes: the password alone signs in again')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nBe sure that it is them who asks. Ends their sessions.\n\nExample:\n  navette account reset-second-factor ACCOUNT zoe@example.org',
    )
    .action((accountId: string, email: string, output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { resetSecondFactor } = await members();
        if (!(await resetSecondFactor(db, readId(accountId), email)))
          throw new CommandFailure(`the account has no member ${email}`);
        printRecord({ email, secondFactor: false }, output);
      }),
    );
}

/** False where no relay is set or it would not take the mail: the link is printed anyway. */
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

function oneOf<const V extends readonly (Role | Language)[]>(name: string, values: V, given: string): V[number] {
  const found = values.find((value) => value === given);
  if (!found) throw new UsageError(`--${name} must be one of ${values.join(', ')}`);
  return found;
}

async function orFailure<T>(work: Promise<T>): Promise<T> {
  const { Refusal } = await import('../http/refusal.ts');
  return work.catch((error: unknown) => {
    throw error instanceof Refusal ? new CommandFailure(error.message) : error;
  });
}
