import { NavetteError } from '../../sdk/src/errors.ts';

/** Ends the command: the message says what to do. Exit code 2 for a wrong call, 1 for everything else. */
export class Failure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const wrongCall = (message: string): Failure => new Failure(message, 2);

const REMEDIES: Record<string, string> = {
  INVALID_API_KEY:
    'The API key is unknown or was revoked. Create a key in the dashboard under "API keys" and set NAVETTE_API_KEY.',
  EXPIRED_API_KEY: 'The API key has expired. Create a key in the dashboard under "API keys" and set NAVETTE_API_KEY.',
  INVALID_CLIENT_ID:
    'NAVETTE_CLIENT_ID is not the client id of this key’s account. The dashboard shows both under "API keys".',
  INSUFFICIENT_PERMISSIONS: 'The API key lacks a scope: listening needs "read", trigger and resend need "write".',
  PROFESSIONAL_NOT_FOUND: 'The account of this key was closed. Use a key of another account.',
};

/** A failure of the API that a repetition does not change, in one sentence with its remedy. */
export function explain(error: NavetteError): string {
  const remedy = REMEDIES[error.slug] ?? (error.remedy || 'Check the command and try again.');
  const request = error.requestId ? ` (request ${error.requestId})` : '';
  return `${remedy} The service responded: ${error.status ?? 'nothing'} ${error.slug}, ${error.message}${request}`;
}

/** Calls the API, and explains its refusals. */
export async function explained<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof NavetteError) throw new Failure(explain(error));
    throw error;
  }
}
