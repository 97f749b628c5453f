import { randomUUIDv7 } from 'node:crypto';
import { MAX_PASSKEYS, type NewPasskey } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import type { SignedInMember } from '../../http/member-authentication.ts';
import { confirmCode, confirmPassword } from '../../identity/confirm-identity.ts';
import { sendMemberMailJob } from '../../jobs/definitions.ts';
import { refuseDashboard } from '../../refusals/dashboard-refusal.ts';
import { refuseSignIn } from '../../refusals/sign-in-refusal.ts';
import type { PasskeyOptions } from './passkey-options.ts';
import { challengeIn } from './read-client-data.ts';
import { requireActor } from './require-actor.ts';
import { recordAct } from './security-log.ts';

interface Proof {
  password: string;
  code?: string;
}

const ownChallenges = ({ sessionId }: Pick<SignedInMember, 'sessionId'>) => `passkey:${sessionId}`;

/** The member's id, which authenticators store with a passkey and return at sign-in. */
export const handleOf = (memberId: string): Buffer => Buffer.from(memberId.replaceAll('-', ''), 'hex');

export async function listPasskeys(db: Database, memberId: string) {
  return db
    .selectFrom('member_passkeys')
    .select(['id', 'name', 'created_at', 'last_used_at', 'credential_id', 'transports'])
    .where('member_id', '=', memberId)
    .orderBy('created_at')
    .limit(MAX_PASSKEYS)
    .execute();
}

/** A passkey replaces both factors, so both are asked for before one is added or removed. */
async function confirmBothFactors(
  options: PasskeyOptions,
  member: SignedInMember,
  { password, code }: Proof,
  now: Date,
): Promise<void> {
  await confirmPassword(options, member, password, now);
  if (!member.hasSecondFactor) return;
  if (code === undefined) return refuseSignIn('SECOND_FACTOR_REQUIRED');
  await confirmCode(options, member, code, now);
}

export async function startPasskey(options: PasskeyOptions, member: SignedInMember, proof: Proof, now: Date) {
  await confirmBothFactors(options, member, proof, now);
  const existing = await listPasskeys(options.db, member.memberId);
  if (existing.length >= MAX_PASSKEYS) refuseDashboard('PASSKEYS_FULL');
  return {
    challenge: await options.challenges.issue(ownChallenges(member)),
    rp: { id: options.relyingParty.id, name: 'Navette' },
    user: { id: handleOf(member.memberId).toString('base64url'), name: member.email, displayName: member.name },
    exclude: existing.map(({ credential_id, transports }) => ({
      id: credential_id.toString('base64url'),
      transports,
    })),
  };
}

/** The challenge proves that both factors were confirmed in this session a moment ago. */
export async function addPasskey(options: PasskeyOptions, member: SignedInMember, added: NewPasskey, now: Date) {
  const { db, jobs } = options;
  const credential = await verifyNewPasskey(options, member, added);
  const row = {
    id: randomUUIDv7(),
    member_id: member.memberId,
    credential_id: Buffer.from(credential.id, 'base64url'),
    public_key: Buffer.from(credential.publicKey),
    sign_count: credential.counter,
    transports: added.transports,
    name: added.name,
    created_at: now,
  };
  return db.transaction().execute(async (tx) => {
    const actor = await requireActor(tx, member, 'self', now); // locks the member: concurrent additions are counted
    const { count } = await tx
      .selectFrom('member_passkeys')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('member_id', '=', member.memberId)
      .executeTakeFirstOrThrow();
    if (count >= MAX_PASSKEYS) refuseDashboard('PASSKEYS_FULL');
    const inserted = await tx
      .insertInto('member_passkeys')
      .values(row)
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!inserted) refuseDashboard('PASSKEY_NOT_ADDED');
    await jobs.send(tx, sendMemberMailJob, { kind: 'passkey-added', id: member.memberId });
    await recordAct(tx, member.ownAccountId, actor, { act: 'passkey-added', subject: added.name }, now);
    return { ...row, last_used_at: null };
  });
}

async function verifyNewPasskey(
  { challenges, relyingParty }: PasskeyOptions,
  member: SignedInMember,
  { clientDataJSON, attestationObject }: NewPasskey,
) {
  const challenge = challengeIn(clientDataJSON);
  if (challenge === null || !(await challenges.use(ownChallenges(member), challenge)))
    return refuseDashboard('PASSKEY_NOT_ADDED');
  if (!(await hasPlainFormat(attestationObject))) return refuseDashboard('PASSKEY_NOT_ADDED');
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server'); // a tenth of all modules, seldom used
  const verified = await verifyRegistrationResponse({
    response: {
      id: 'id',
      rawId: 'id',
      type: 'public-key',
      response: { clientDataJSON, attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
  }).catch(() => null);
  return verified?.registrationInfo?.credential ?? refuseDashboard('PASSKEY_NOT_ADDED');
}

/** Browsers send these when nobody asks for an attestation. Others let the library follow certificates, some over the network. */
async function hasPlainFormat(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  try {
    const format = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url'))).get('fmt');
    return format === 'none' || format === 'packed';
  } catch {
    return false;
  }
}

/** Returns false if the member has no such passkey. */
export async function removePasskey(
  options: PasskeyOptions,
  member: SignedInMember,
  id: string,
  proof: Proof,
  now: Date,
): Promise<boolean> {
  const { db, jobs } = options;
  if (!isUuid(id)) return false;
  // An id that is not the member's own is no reason to count a wrong password.
  if (!(await listPasskeys(db, member.memberId)).some((passkey) => passkey.id === id)) return false;
  await confirmBothFactors(options, member, proof, now);
  return db.transaction().execute(async (tx) => {
    const actor = await requireActor(tx, member, 'self', now);
    const removed = await tx
      .deleteFrom('member_passkeys')
      .where('id', '=', id)
      .where('member_id', '=', member.memberId)
      .returning('name')
      .executeTakeFirst();
    if (!removed) return false;
    await jobs.send(tx, sendMemberMailJob, { kind: 'passkey-removed', id: member.memberId });
    await recordAct(tx, member.ownAccountId, actor, { act: 'passkey-removed', subject: removed.name }, now);
    return true;
  });
}
