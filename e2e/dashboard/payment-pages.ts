import { randomUUID } from 'node:crypto';
import type { DashboardPage } from './pages.ts';
import type { World } from './world.ts';

/** Starts a payment of the busy shop, and lets Stripe say what became of it. */
async function pay(
  { stage: { server, stripe }, owner }: World,
  amount: number,
  end: 'card' | 'debit' | 'refused' | 'mismatch' | 'left',
): Promise<string> {
  const requestId = randomUUID();
  await owner.call('startTopUp', { body: { amount, requestId } });
  const sessionId = stripe.sessionsOf(requestId)[0]?.id ?? '';
  if (end === 'left') return requestId;
  const wrong = end === 'mismatch' ? amount * 100 - 100 : undefined;
  const by = end === 'card' || end === 'mismatch' ? 'card' : 'debit';
  await stripe.send(server.url, stripe.complete(sessionId, by, wrong));
  if (end === 'refused') await stripe.send(server.url, stripe.endDebit(sessionId, false));
  return requestId;
}

const after = (end: Parameters<typeof pay>[2], back: 'done' | 'left') => async (world: World) =>
  `/account/payments?payment=${await pay(world, 120, end)}&back=${back}`;

async function several(world: World): Promise<string> {
  for (const [amount, end] of [
    [100, 'card'],
    [250, 'debit'],
    [60, 'refused'],
    [75, 'mismatch'],
  ] as const)
    await pay(world, amount, end);
  return '/account/payments';
}

/** The page of payments, and what it says to a person who comes back from Stripe. */
export const PAYMENT_PAGES: DashboardPage[] = [
  { name: 'payments', path: several },
  { name: 'payments-new', path: () => '/account/payments', as: ({ newOwner }) => newOwner },
  { name: 'payments-paid', path: after('card', 'done') },
  { name: 'payments-debit', path: after('debit', 'done') },
  { name: 'payments-awaited', path: after('left', 'done') },
  { name: 'payments-left', path: after('left', 'left') },
];
