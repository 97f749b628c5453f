import type { Day } from '../day.ts';
import { peopleOf } from '../post.ts';
import type { Stage } from '../stage.ts';
import type { ComparedStory } from './compare-history.ts';

export interface MessageCounts {
  sms: number;
  mails: number;
  /** Never sent because the parcel had come, or would not come, before a killed worker's message was taken up again. */
  dropped: number;
  /** E-mails that came twice with one Message-ID: SMTP cannot be asked what it has taken. */
  repeatedMails: number;
}

/** Each person got each message once; who had nothing to expect any more got none; nobody else got any. */
export function checkMessages(day: Day, { twilio, mailbox }: Stage, stories: ComparedStory[]) {
  const { kill } = day.options;
  const violations: string[] = [];
  const counts: MessageCounts = {
    sms: twilio.messages.length,
    mails: mailbox.mails.length,
    dropped: 0,
    repeatedMails: 0,
  };
  let known = 0;

  for (const { story, document } of stories) {
    const history = document.statusHistory.map(({ status }) => status);
    const wasAssigned = history.includes('assigned');
    const isDelivered = document.status === 'delivered';
    const { recipient, contact } = peopleOf(story.plan.number);
    const due = {
      recipient: history[0] === 'created' || wasAssigned,
      contact: story.plan.isCollection && wasAssigned,
    };
    for (const [who, person] of Object.entries({ recipient, contact })) {
      const isDue = due[who as keyof typeof due];
      const sms = day.post.smsTo(person.phoneNumber).length;
      const mails = day.post.mailsTo(person.email);
      const different = new Set(mails.map(({ messageId }) => messageId)).size;
      counts.repeatedMails += mails.length - different;
      known += sms + mails.length;
      judge(`SMS to the ${who}`, sms, isDue);
      judge(`e-mail to the ${who}`, kill ? different : mails.length, isDue);
    }

    /** A cancellation may come before the message is sent, and after a kill so may the delivery. */
    function judge(what: string, came: number, isDue: boolean): void {
      const least = isDue && isDelivered && !kill ? 1 : 0;
      const most = isDue ? 1 : 0;
      if (came < least || came > most) {
        const { referenceNumber, plan } = story;
        violations.push(`${referenceNumber} (${plan.mode}, ${plan.fate}): ${what} came ${came} times, not ${most}`);
      }
      if (isDue && isDelivered && came === 0) counts.dropped++;
    }
  }
  const strays = counts.sms + counts.mails - known;
  if (strays !== 0) violations.push(`${strays} messages went to somebody who is not in the day`);
  return { violations, counts };
}
