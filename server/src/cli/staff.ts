import { STAFF_ROLES } from '@navette/contract/console-roles';
import { LANGUAGES } from '@navette/contract/dashboard-roles';
import type { Command } from 'commander';
import type { AuthorizeOperator } from '../features/staff/index.ts';
import { sendStaffMailJob } from '../jobs/definitions.ts';
import { linkTo } from '../secrets/link-token.ts';
import { isEmail } from '../validation/email.ts';
import { CommandFailure, UsageError } from './failure.ts';
import { readOneOf } from './input.ts';
import { cliActor } from './operator-context.ts';
import { type OutputOptions, printRecord, printTable } from './output.ts';
import { refusalAsFailure } from './refusal-as-failure.ts';
import { withEngines, withJobs } from './with-engines.ts';

interface InviteOptions extends OutputOptions {
  role: string;
  language: string;
  print?: boolean;
}

const staff = () => import('../features/staff/index.ts');

/** Access to the command line grants every permission. */
const authorize: AuthorizeOperator = async () => cliActor();

export function addStaffCommands(program: Command): void {
  const command = program
    .command('staff')
    .description('manage the people who use the operator’s console: invite, list, change a role, remove')
    .addHelpText('after', '\nExample:\n  navette staff invite zoe@example.org --role admin');

  command
    .command('invite <email>')
    .description('invite a person to the console: mail the link when MAIL_URL is set, or print it')
    .option('--role <role>', `one of ${STAFF_ROLES.join(', ')}`, 'admin')
    .option('--language <language>', `language of the mail and the page: ${LANGUAGES.join(' or ')}`, 'fr')
    .option('--print', 'print the link instead of mailing it')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
The link works once, for seven days. Another invitation of the same address replaces the link.

Examples:
  navette staff invite zoe@example.org
  navette staff invite ana@example.org --role dispatcher --language en --print`,
    )
    .action(async (email: string, { role, language, print, ...output }: InviteOptions) => {
      if (!isEmail(email) || email.length > 254) throw new UsageError(`"${email}" is not an e-mail address`);
      const request = {
        email,
        role: readOneOf('role', STAFF_ROLES, role),
        language: readOneOf('language', LANGUAGES, language),
      };
      await withEngines(async (engines) => {
        const { db, config } = engines;
        const { inviteStaff, replaceStaffInvitationToken } = await staff();
        const isMailed = config.mailUrl !== null && !print;
        const { id, token, expiresAt } = await withJobs(engines, (jobs) =>
          refusalAsFailure(
            db.transaction().execute(async (tx) => {
              const invited = await inviteStaff(tx, authorize, request, new Date());
              if (isMailed) await jobs.send(tx, sendStaffMailJob, { kind: 'invitation', id: invited.id });
              return { ...invited, token: isMailed ? null : await replaceStaffInvitationToken(tx, invited.id) };
            }),
          ),
        );
        const link = token && linkTo(config.publicUrl, '/console/invitation', token);
        printRecord({ id, email, role, expiresAt, ...(link ? { link } : { mailed: true }) }, output);
      });
    });

  command
    .command('list')
    .description('list the people who use the console')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette staff list')
    .action((output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { listStaff } = await staff();
        const rows = (await listStaff(db, new Date())).map(({ secondFactorSince, singleSignOnSubject, ...person }) => ({
          ...person,
          secondFactor: secondFactorSince !== null,
          singleSignOn: singleSignOnSubject !== null,
        }));
        const columns = ['id', 'name', 'email', 'role', 'secondFactor', 'singleSignOn', 'lastSeenAt', 'createdAt'];
        printTable(rows, columns, output, 'Nobody yet: `navette staff invite EMAIL` invites the first.');
      }),
    );

  command
    .command('role <email> <role>')
    .description(`change the role of a person, effective at once: ${STAFF_ROLES.join(', ')}`)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette staff role ana@example.org dispatcher')
    .action((email: string, role: string, output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { changeStaffRole } = await staff();
        const change = { staffId: await idOf(db, email), role: readOneOf('role', STAFF_ROLES, role) };
        await refusalAsFailure(changeStaffRole(db, authorize, change, new Date()));
        printRecord({ email, role }, output);
      }),
    );

  command
    .command('remove <email>')
    .description('remove a person from the console: their sessions end at once')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette staff remove ana@example.org')
    .action((email: string, output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { removeStaff } = await staff();
        await refusalAsFailure(removeStaff(db, authorize, await idOf(db, email), new Date()));
        printRecord({ removed: email }, output);
      }),
    );
}

async function idOf(db: Parameters<Awaited<ReturnType<typeof staff>>['findStaffByEmail']>[0], email: string) {
  const { findStaffByEmail } = await staff();
  const found = await findStaffByEmail(db, email);
  if (!found) throw new CommandFailure(`nobody has the address ${email}; \`navette staff list\` shows them`);
  return found.id;
}
