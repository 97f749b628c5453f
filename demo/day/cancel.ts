import type { Story } from './book.ts';
import type { Day } from './day.ts';
import type { Merchant } from './merchant.ts';

/** The merchant cancels, once; too late is no complaint when a driver was at the parcel at the same moment. */
export async function cancel({ merchants, book }: Day, story: Story): Promise<void> {
  if (story.isFateDone) return;
  story.isFateDone = true;
  const merchant = merchants[story.plan.merchant] as Merchant;
  const { status, body } = await merchant.cancel(story.id);
  if (status === 200 && body.shipping.status === 'cancelled') {
    book.note(story, { status: 'cancelled', channel: 'http', driverId: null });
  } else if (status !== 400 || story.plan.fate !== 'cancelled-at-pickup') {
    book.complain(story, `cancelling answered ${status} ${JSON.stringify(body)}`);
  }
}
