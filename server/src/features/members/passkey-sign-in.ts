import type { PasskeyProof } from '@navette/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import { MEMBERS } from '../../identity/people.ts';
import { closeSession, openSession } from '../../identity/sessions.ts';
import type { Browser } from '../../identity/sign-in.ts';
import { refuseDashboard } from '../../refusals/dashboard-refusal.ts';
import type { PasskeyOptions } from './passkey-options.ts';
import { handleOf } from './passkeys.ts';
import { challengeIn } from './read-client-data.ts';
import { actorOf, recordAct } from './security-log.ts';

const SIGN_IN = 'passkey-sign-in';

export const startPasskeySignIn = ({ challenges }: Pick<PasskeyOptions, 'challenges'>): Promise<string> =>
  challenges.issue(SIGN_IN);

/**
 * Verifies what the authenticator signed and opens a session. All failures have the same response, since an id alone must not
 * reveal whether it exists. A failure with a known passkey is recorded: somebody had a part of it.
 */
export async function signInWithPasskey(
  options: PasskeyOptions,
  proof: PasskeyProof,
  browser: Browser,
  now: Date,
): Promise<string> {
  const { db, challenges, failures } = options;
  const challenge = challengeIn(proof.clientDataJSON);
  const isIssued = challenge !== null && (await challenges.use(SIGN_IN, challenge));
  const passkey = await findPasskey(db, proof.id);
  if (!passkey || !isIssued) return refuseDashboard('PASSKEY_REFUSED');
  const counter = await verify(options, challenge, passkey, proof);
  const { memberId: personId, accountId, email, name } = passkey;
  if (counter === null) {
    const person = { personId, accountId, email, name };
    failures.recordLater({ person, by: null, act: 'sign-in-failed', lock: null }, now);
    return refuseDashboard('PASSKEY_REFUSED');
  }
  return db.transaction().execute((tx) => openPasskeySession(tx, passkey, counter, browser, now));
}

interface FoundPasskey {
  id: string;
  memberId: string;
  accountId: string;
  email: string;
  name: string;
  credentialId: Buffer;
  publicKey: Buffer;
  signCount: number;
}

async function findPasskey(db: Database, credentialId: string): Promise<FoundPasskey | undefined> {
  const { rows } = await sql<FoundPasskey>`
    select k.id, p.id as "memberId", p.account_id as "accountId", p.email, p.name, k.credential_id as "credentialId",
      k.public_key as "publicKey", k.sign_count as "signCount"
    from member_passkeys k join members p on p.id = k.member_id ${MEMBERS.join}
    where k.credential_id = ${Buffer.from(credentialId, 'base64url')}`.execute(db);
  return rows[0];
}

/** The new value of the authenticator's counter; null if anything is wrong, also a counter that went back. */
async function verify(
  { relyingParty }: PasskeyOptions,
  challenge: string,
  { memberId, credentialId, publicKey, signCount }: FoundPasskey,
  { clientDataJSON, authenticatorData, signature, userHandle }: PasskeyProof,
): Promise<number | null> {
  if (!handleOf(memberId).equals(Buffer.from(userHandle, 'base64url'))) return null;
  const id = credentialId.toString('base64url');
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const verified = await verifyAuthenticationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      response: { clientDataJSON, authenticatorData, signature, userHandle },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    credential: { id, publicKey: new Uint8Array(publicKey), counter: Number(signCount) },
    requireUserVerification: true,
  }).catch(() => null); // malformed data and a counter that went back are errors
  return verified?.verified ? verified.authenticationInfo.newCounter : null;
}

/** Locks the member, so that a removal waits or is seen. Of two sign-ins with one counter value, one is accepted. */
async function openPasskeySession(
  tx: Tx,
  { id, memberId, accountId, email, name }: FoundPasskey,
  counter: number,
  { device, oldToken }: Browser,
  now: Date,
): Promise<string> {
  const { rows } = await sql`
    select p.id from members p ${MEMBERS.join} where p.id = ${memberId} for share of p`.execute(tx);
  if (rows.length === 0) return refuseDashboard('PASSKEY_REFUSED');
  if (oldToken) await closeSession(tx, MEMBERS, oldToken);
  const token = await openSession(tx, MEMBERS, { personId: memberId, device, more: { account_id: accountId } }, now);
  const { numAffectedRows } = await sql`
    update member_passkeys set sign_count = ${counter}, last_used_at = ${now}
    where id = ${id} and (sign_count < ${counter} or (sign_count = 0 and ${counter} = 0))`.execute(tx);
  if (numAffectedRows !== 1n) return refuseDashboard('PASSKEY_REFUSED');
  const by = actorOf({ memberId, email, name });
  await recordAct(tx, accountId, by, { act: 'signed-in-with-passkey', ...(device ? { subject: device } : {}) }, now);
  return token;
}
