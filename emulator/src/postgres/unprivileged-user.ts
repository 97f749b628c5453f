import { readFileSync } from 'node:fs';

export interface SystemUser {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root: root starts it as one of these users. Each needs a name, which initdb looks up. */
const NAMES = ['postgres', 'nobody'];

/** The user that PostgreSQL runs as; null when it is the current one. */
export function unprivilegedUser(): SystemUser | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of NAMES) {
    const [, , uid, gid] = users.find((fields) => fields[0] === name) ?? [];
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(`PostgreSQL does not run as root, and /etc/passwd has no user ${NAMES.join(' or ')}`);
}
