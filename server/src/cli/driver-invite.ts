import type { Command } from 'commander';
import type { NumberRefusal } from '../features/messages/index.ts';
import { CommandFailure, UsageError } from './failure.ts';
import { orFailure } from './known-driver.ts';
import { actAtCommandLine, driverSubject, recordedAtCommandLine } from './operator-context.ts';
import { type OutputOptions, printRecord } from './output.ts';
import { withEngines, withJobs } from './with-engines.ts';

const CHANNELS = ['email', 'sms', 'link'] as const;
type InviteChannel = (typeof CHANNELS)[number];

const REASONS: Record<NumberRefusal, string> = {
  NUMBER_NOT_UNDERSTOOD:
    'it is no valid number; use --by email, or --by link and send the link yourself. A number of another country than France needs + and the country code',
  NUMBER_TYPE_REFUSED: 'it is a premium, shared cost or satellite number; use --by email',
  COUNTRY_NOT_LISTED: 'its country is not in SMS_COUNTRIES; add it there, or use --by email',
};

const drivers = () => import('../features/drivers/index.ts');

export function addDriverInviteCommand(driver: Command): void {
  driver
    .command('invite <driver>')
    .description('send a link with which the driver sets the password and signs in')
    .option('--by <channel>', 'email, sms, or link: print it instead of sending it', 'email')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
The link works once. A first one is valid for seven days. For a driver who has a password it is valid for one hour, and
using it ends all other sessions.

Examples:
  navette driver invite ana@example.org
  navette driver invite ana@example.org --by sms`,
    )
    .action(async (name: string, { by, ...output }: OutputOptions & { by: string }) => {
      const channel = CHANNELS.find((known) => known === by);
      if (!channel) throw new UsageError(`--by must be one of ${CHANNELS.join(', ')}`);
      await withEngines(async (engines) => {
        const { db, config } = engines;
        const found = await orFailure(db, name);
        if (found.disabledAt) throw new CommandFailure(`${name} is disabled`);
        await refuseUnreachable(found, channel, config.smsCountries);
        const act = { act: 'driver.invited', subject: driverSubject(found.id), details: { by: channel } } as const;
        const { createPasswordLink, purposeFor, sendPasswordLink } = await drivers();
        if (channel === 'link') {
          const purpose = purposeFor(found);
          const link = await actAtCommandLine(db, async (joined) => ({
            result: await createPasswordLink(joined, found.id, purpose, config.publicUrl, new Date()),
            act,
          }));
          return printRecord({ id: found.id, purpose, link }, output);
        }
        const recorded = await recordedAtCommandLine(db, () => act);
        const purpose = await withJobs(engines, (jobs) => sendPasswordLink({ db: recorded, jobs }, found, channel));
        printRecord({ id: found.id, purpose, by: channel }, output);
      });
    });
}

/** The worker sends the link later, so a number or address that cannot be used is reported here. */
async function refuseUnreachable(
  { phoneNumber, email }: { phoneNumber: string; email: string | null },
  channel: InviteChannel,
  countries: readonly string[],
): Promise<void> {
  if (channel === 'email' && email === null) throw new CommandFailure('the driver has no e-mail address: use --by sms');
  if (channel !== 'sms') return;
  const { readDriverNumber } = await drivers();
  const number = readDriverNumber(phoneNumber, countries);
  if (typeof number === 'string') return;
  throw new CommandFailure(`no SMS can be sent to the driver’s number: ${REASONS[number.refusal]}`);
}
