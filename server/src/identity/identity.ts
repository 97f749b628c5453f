import type { Database, Tx } from '../database/database.ts';
import type { JobSender } from '../jobs/boss.ts';
import type { SecretSealer } from '../secrets/secret-sealer.ts';
import type { People } from './people.ts';

export interface Person {
  personId: string;
  /** Null for staff. */
  accountId: string | null;
  email: string;
  name: string;
}

/** A person with a session. */
export interface SignedInPerson extends Person {
  sessionId: string;
  hasSecondFactor: boolean;
  /** Words that must not make up the password, besides name and address. */
  words: string[];
}

/** Acts on the own access, as the log names them. */
export type IdentityAct =
  | 'signed-in'
  | 'sign-in-failed'
  | 'code-failed'
  | 'confirmation-failed'
  | 'many-failures'
  | 'password-locked'
  | 'codes-locked'
  | 'recovery-code-used'
  | 'password-changed'
  | 'password-reset'
  | 'second-factor-on'
  | 'second-factor-off'
  | 'recovery-codes-renewed';

/** E-mails about the own access. */
export type IdentityNotice =
  | 'password-changed'
  | 'second-factor-on'
  | 'second-factor-off'
  | 'recovery-codes-renewed'
  | 'codes-locked';

export interface IdentityEntry {
  act: IdentityAct;
  person: Person;
  /** Null: nobody has proved to be the person. */
  by: Person | null;
  device?: string | null;
}

/** How one kind of people signs in: tables, permission, log and e-mails. `S` is the session of a request. */
export interface Identity<S> {
  people: People;
  personOf: (signedIn: S) => SignedInPerson;
  /**
   * Locks person and session inside the transaction and checks both again. `set-up`: also when a second factor is
   * missing that is required otherwise.
   */
  require: (tx: Tx, signedIn: S, now: Date, stage?: 'set-up') => Promise<Person>;
  /** Appends to the log, as the last statement that locks a row. */
  record: (tx: Tx, entry: IdentityEntry, now: Date) => Promise<void>;
  notify: (tx: Tx, jobs: JobSender, kind: IdentityNotice | 'reset', personId: string) => Promise<unknown>;
}

/** A wrong password or code for a person who exists. */
export interface Failure {
  person: Person;
  /** Null: somebody who tried to sign in. */
  by: Person | null;
  act: 'sign-in-failed' | 'code-failed' | 'confirmation-failed';
  /** The lock that this attempt triggered. */
  lock: 'password-locked' | 'codes-locked' | null;
}

export interface FailureLog {
  record(failure: Failure, now: Date): Promise<void>;
  /** Does not wait, so that response times do not reveal which addresses exist. */
  recordLater(failure: Failure, now: Date): void;
  /** Waits for pending writes. */
  stop(): Promise<void>;
}

export interface IdentityOptions<S> {
  identity: Identity<S>;
  db: Database;
  jobs: JobSender;
  /** Encrypts second factors. */
  sealer: SecretSealer;
  failures: FailureLog;
}
