import { createContext, useContext } from 'react';
import type { Language } from '../language.ts';

export interface Person {
  name: string;
  email: string;
  language: Language;
  secondFactor: boolean;
}

export type Credentials = Record<'email' | 'password', string>;

export interface SecondFactorSetUp {
  secret: string;
  qr: { size: number; path: string };
}

/**
 * Sign-in and profile of a person, which members of an account and staff of the operator have alike. Each app calls its own
 * API, and reads its session again after a change.
 */
export interface PersonApi {
  /** The signed-in person. Only for pages that need a session. */
  usePerson: () => Person;
  /** Opens the session. */
  signIn: (body: Credentials & { code?: string }) => Promise<void>;
  signOut: () => Promise<void>;
  requestPasswordReset: (body: { email: string }) => Promise<unknown>;
  resetPassword: (body: { token: string; password: string }) => Promise<unknown>;
  updateProfile: (body: { name: string; language: Language }) => Promise<void>;
  changePassword: (body: { password: string; newPassword: string }) => Promise<void>;
  startSecondFactor: (body: { password: string }) => Promise<SecondFactorSetUp>;
  /** Returns the recovery codes. */
  confirmSecondFactor: (body: { code: string }) => Promise<string[]>;
  removeSecondFactor: (body: { password: string; code: string }) => Promise<void>;
  /** Returns the recovery codes. */
  renewRecoveryCodes: (body: { password: string; code: string }) => Promise<string[]>;
}

const PersonApiContext = createContext<PersonApi | null>(null);
export const PersonApiProvider = PersonApiContext.Provider;

export function usePersonApi(): PersonApi {
  const api = useContext(PersonApiContext);
  if (!api) throw new Error('startApp provides the PersonApi');
  return api;
}
