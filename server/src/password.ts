import { hash, verify } from '@node-rs/argon2';

// argon2id with the library's parameters, which are those OWASP names: 19 MiB, two passes.
export const hashPassword = (password: string): Promise<string> => hash(password);

/** As much work as a real check, for who has no password: the time of an answer must not tell who exists. */
let decoy: Promise<string> | undefined;

export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  decoy ??= hash('nobody’s password');
  const matches = await verify(passwordHash ?? (await decoy), password);
  return matches && passwordHash !== null;
}
