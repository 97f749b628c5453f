import { networkOf } from '../network/client-network.ts';
import { refuseAsTooMany } from '../refusals/refusal.ts';
import { hashSecretToken } from './secret-token.ts';

const MAILS_TO_ONE_ADDRESS = { minute: 2, hour: 5, day: 10 };
const MAILS_FROM_ONE_CLIENT = { minute: 20, hour: 100, day: 500 }; // an office may share one IP address

type Window = 'minute' | 'hour' | 'day';
interface Limiter {
  take(key: string, limits: Record<Window, number>): Promise<{ exhausted: Window | null }>;
}

/**
 * Limits the e-mails with links that a client may cause, with a refusal, and those that an address may get. For the
 * second it returns false: the response must then be the same as after a sent e-mail, which reveals nothing.
 */
export async function mayMailLink(
  limiter: Limiter,
  kind: 'reset' | 'driver-link',
  email: string,
  clientAddress: string,
): Promise<boolean> {
  const { exhausted } = await limiter.take(`${kind}-from:${networkOf(clientAddress)}`, MAILS_FROM_ONE_CLIENT);
  if (exhausted) refuseAsTooMany(exhausted);
  const address = hashSecretToken(email.toLowerCase());
  return (await limiter.take(`${kind}-to:${address}`, MAILS_TO_ONE_ADDRESS)).exhausted === null;
}
