import { randomUUIDv7 } from 'node:crypto';
import type { Language } from '@navette/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { MailSender } from '../adapters/mail/mail-sender.ts';
import type { SendOutcome } from '../adapters/send-outcome.ts';
import type { Database } from '../database/database.ts';
import { linkTo } from '../secrets/link-token.ts';
import { resetEmail } from './mail-texts.ts';
import type { People } from './people.ts';
import { createResetToken } from './reset-password.ts';

export interface AccessMailing {
  db: Database;
  mail: MailSender;
  publicUrl: string;
  log: FastifyBaseLogger;
}

/** Creates the link just before sending, and stores its hash only. */
export async function mailResetLink(
  { db, mail, publicUrl }: AccessMailing,
  people: People,
  place: 'dashboard' | 'console',
  person: { id: string; email: string; language: string },
  now: Date,
): Promise<SendOutcome> {
  const link = linkTo(publicUrl, `/${place}/reset`, await createResetToken(db, people, person.id, now));
  const email = resetEmail(person.language as Language, place, link);
  return mail.send({ id: randomUUIDv7(), to: person.email, ...email, pictures: [] });
}

/** Throws for a retry, unless the relay accepted or refused the mail, or there was nobody to send it to. */
export function settleMail(
  { log }: Pick<AccessMailing, 'log'>,
  { kind, id }: { kind: string; id: string },
  outcome: SendOutcome | null,
): void {
  if (!outcome || outcome.kind === 'accepted') return;
  const line = { kind, id, outcome: outcome.kind, reason: outcome.reason };
  if (outcome.kind !== 'refused') throw new Error(`${kind} mail ${outcome.kind}: ${outcome.reason}`);
  log.warn(line, 'mail refused');
}
