import type { AccountPage, Block } from '@navette/contract';
import { localDay } from '../../calendar/local-calendar.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import { type AccountSettings, presentAccount } from '../accounts/index.ts';
import { toEuros } from '../ledger/index.ts';
import { quoteRate } from '../rates/index.ts';
import { findBlocks } from '../shipments/index.ts';

const DAY_MS = 86_400_000;
const LIGHTEST_KG = 0.1;

/** The account as its members see it: settings, reasons that block creations now, and example prices. */
export function presentAccountPage(
  account: AccountSettings,
  timeZone: string,
  now: Date,
): Omit<AccountPage, 'success'> {
  return {
    account: presentAccount(account),
    gracePeriodEndsAt: account.gracePeriodEndsAt?.toISOString() ?? null,
    blocks: blocksOf(account, timeZone, now),
    priceExamples: priceExamples(account, timeZone, now),
  };
}

/** Every reason that blocks creations now, in the order of the checks: insufficient balance last. */
export function blocksOf(account: AccountSettings, timeZone: string, now: Date): Block[] {
  const blocks = [...findBlocks(account, now)].map(({ envelope }) => envelope as Refusal['envelope'] & Block);
  if (account.paymentMode !== 'prepaid') return blocks;
  const prices = priceExamples(account, timeZone, now).map(({ price }) => price);
  const requiredAmount = Math.min(...prices);
  const currentBalance = toEuros(account.balanceCents);
  return currentBalance < requiredAmount
    ? [...blocks, { error: 'INSUFFICIENT_BALANCE', currentBalance, requiredAmount }]
    : blocks;
}

function priceExamples(account: AccountSettings, timeZone: string, now: Date): AccountPage['priceExamples'] {
  const [weekday, saturday] = [nextDay([1, 2, 3, 4, 5], timeZone, now), nextDay([6], timeZone, now)];
  const schedules = {
    express: {},
    slot: { scheduledDate: weekday, timeSlot: '14h-16h' },
    evening: { scheduledDate: weekday, timeSlot: '18h-20h' },
    weekend: { scheduledDate: saturday, timeSlot: '14h-16h' },
  };
  return Object.entries(schedules).flatMap(([kind, schedule]) =>
    [LIGHTEST_KG, 2, 6].flatMap((weight) => {
      const rate = quoteRate({ weight, ...schedule }, account, timeZone, now);
      return rate instanceof Error ? [] : [{ kind: kind as keyof typeof schedules, weight, price: rate.price }];
    }),
  );
}

function nextDay(weekdays: number[], timeZone: string, now: Date): string {
  const days = Array.from({ length: 7 }, (_, i) => localDay(new Date(now.getTime() + (i + 1) * DAY_MS), timeZone));
  return days.find((day) => weekdays.includes(new Date(`${day}T00:00:00Z`).getUTCDay())) ?? '';
}
