import { Refusal } from '../refusals/refusal.ts';
import { isGuessable } from '../secrets/guessable-password.ts';

/** Refuses with a field error, which the form shows at the password. `about`: facts of its owner. */
export async function refuseGuessable(
  field: 'password' | 'newPassword',
  password: string,
  about: readonly string[],
): Promise<void> {
  if (!(await isGuessable(password, about))) return;
  const msg =
    'Trop facile à deviner : ni mot de passe courant, ni suite, ni votre adresse ou le nom du compte. Quatre mots sans rapport conviennent.';
  throw new Refusal(400, { errors: [{ type: 'field', msg, path: field, location: 'body', rule: 'guessable' }] });
}
