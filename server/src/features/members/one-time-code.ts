import { Secret, TOTP } from 'otpauth';
import encodeQR from 'qr';

const PERIOD_SECONDS = 30;
const STEPS_EITHER_SIDE = 1; // clocks of telephones are off by seconds, and people type slowly
const QUIET_MODULES = 4;

const generatorOf = (secret: string, email: string) =>
  new TOTP({ issuer: 'Navette', label: email, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });

export const newCodeSecret = (): string => new Secret({ size: 20 }).base32;

/** What an authenticator app scans. */
export const enrolmentUri = (secret: string, email: string): string => generatorOf(secret, email).toString();

/** The step of time whose code this is, near now; null when it is none. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const token = code.replaceAll(/\s/g, '');
  const delta = generatorOf(secret, '').validate({ token, timestamp, window: STEPS_EITHER_SIDE });
  return delta === null ? null : Math.floor(timestamp / 1_000 / PERIOD_SECONDS) + delta;
}

/** As a path that a page can draw without taking markup from anybody. */
export function drawQr(text: string): { size: number; path: string } {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_MODULES });
  const path = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return { size: rows.length, path };
}
