import { refuseSignIn } from '../refusals/sign-in-refusal.ts';
import { consumeCode } from './consume-code.ts';
import { tryOwnPassword, type VerifiedPerson } from './count-attempts.ts';
import type { IdentityOptions } from './identity.ts';

/** Re-authenticates a signed-in person before a sensitive action: a stolen session alone must not suffice. */
export async function confirmPassword<S>(
  { identity, db, failures }: Pick<IdentityOptions<S>, 'identity' | 'db' | 'failures'>,
  signedIn: S,
  password: string,
  now: Date,
): Promise<VerifiedPerson> {
  const person = identity.personOf(signedIn);
  const attempt = await tryOwnPassword(db, identity.people, person.personId, password, now);
  if (attempt?.isRight) return attempt;
  const lock = attempt?.isLocked ? 'password-locked' : null;
  if (attempt) await failures.record({ person, by: person, act: 'confirmation-failed', lock }, now);
  return refuseSignIn('WRONG_PASSWORD');
}

/** Accepts a code of the second factor or a recovery code. Returns the second factor that the code matched. */
export async function confirmCode<S>(
  options: Pick<IdentityOptions<S>, 'identity' | 'db' | 'failures' | 'sealer'>,
  signedIn: S,
  code: string,
  now: Date,
): Promise<Buffer> {
  const person = options.identity.personOf(signedIn);
  const attempt = await consumeCode(options, person, code, now);
  if (attempt?.secondFactor) return attempt.secondFactor;
  const lock = attempt?.isLocked ? 'codes-locked' : null;
  if (attempt) await options.failures.record({ person, by: person, act: 'confirmation-failed', lock }, now);
  return refuseSignIn('WRONG_CODE');
}
