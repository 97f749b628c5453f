import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300; // as Stripe's own libraries

/**
 * Whether one of the secrets signed the body, not more than five minutes ago: `t=…,v1=…`, with several `v1` while Stripe
 * rotates a secret. A time in the future is refused too, within the same tolerance for clocks that differ.
 */
export function isSignedByStripe(body: Buffer, header: string, secrets: readonly string[], now: Date): boolean {
  const pairs = header.split(',').map((part) => part.trim().split('=', 2) as [string, string | undefined]);
  const time = pairs.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(now.getTime() / 1_000 - Number(time)) > TOLERANCE_SECONDS) return false;
  const given = pairs.flatMap(([name, value]) => (name === 'v1' && /^[0-9a-f]{64}$/.test(value ?? '') ? value : []));
  return secrets.some((secret) => {
    const expected = Buffer.from(signatureOf(body, time, secret));
    return given.some((signature) => timingSafeEqual(Buffer.from(String(signature)), expected));
  });
}

export const signatureOf = (body: Buffer, time: string, secret: string): string =>
  createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
