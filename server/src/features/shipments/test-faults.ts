import { setTimeout as wait } from 'node:timers/promises';
import { TEST_NAMES, TEST_SLOW_MS } from '@navette/contract';
import { refuse } from '../../refusals/refusal.ts';
import { isTestName } from '../../text/test-name.ts';

/**
 * Faults of a creation that a merchant's developer asks for by the recipient's name, in test mode. The shipment is
 * committed by then. A replay with the same idempotency key is not affected, so a client that retries succeeds.
 */
export async function causeTestFault(recipient: string): Promise<void> {
  if (isTestName(recipient, TEST_NAMES.slowAnswer)) await wait(TEST_SLOW_MS);
  if (isTestName(recipient, TEST_NAMES.failureAfterCommit)) refuse('INTERNAL_ERROR');
}
