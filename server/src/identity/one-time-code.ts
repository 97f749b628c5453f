import { Secret, TOTP } from 'otpauth';
import encodeQR from 'qr';

const PERIOD_SECONDS = 30;
const STEPS_EITHER_SIDE = 1; // tolerates clock skew of phones, and slow typing
const QUIET_MODULES = 4;

const generatorOf = (secret: string, email: string) =>
  new TOTP({ issuer: 'Navette', label: email, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });

export const newCodeSecret = (): string => new Secret({ size: 20 }).base32;

/** The URI in the QR code for authenticator apps. */
export const enrolmentUri = (secret: string, email: string): string => generatorOf(secret, email).toString();

/** The time step that the code belongs to, within the window around now; null for a wrong code. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const token = code.replaceAll(/\s/g, '');
  const delta = generatorOf(secret, '').validate({ token, timestamp, window: STEPS_EITHER_SIDE });
  return delta === null ? null : Math.floor(timestamp / 1_000 / PERIOD_SECONDS) + delta;
}

/** Returns an SVG path, so that the page does not insert markup from the server. */
export function drawQr(text: string): { size: number; path: string } {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_MODULES });
  const path = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return { size: rows.length, path };
}
