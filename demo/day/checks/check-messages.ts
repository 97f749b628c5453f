import type { Day } from '../day.ts';
import type { Installation } from '../installation.ts';
import { peopleOf } from '../post.ts';
import { isStaff } from '../staff.ts';
import type { ComparedShipment } from './compare-history.ts';

export interface MessageCounts {
  sms: number;
  mails: number;
  /** Never sent: the shipment had ended before the message of a killed worker was retried. */
  dropped: number;
  /** E-mails received twice with one Message-ID: SMTP has no way to query accepted mails. */
  repeatedMails: number;
}

/** Subjects of e-mails after the first one, which has the link. Each comes at most once. */
const NEWS = {
  booking: /créneau réservé$|est programmée$/,
  delay: /livraison retardée$/,
  arrival: /arrive$/,
  delivery: /est livré( à .*)?$/,
  cancellation: /annulée$/,
};
const newsOf = (subject = '') => Object.entries(NEWS).find(([, pattern]) => pattern.test(subject))?.[0] ?? 'link';

/** Each person got each expected message once, and no other message was sent. */
export function checkMessages(day: Day, { twilio, mailbox }: Installation, trackedShipments: ComparedShipment[]) {
  const isDisturbed = day.options.faults !== 'none';
  const violations: string[] = [];
  const counts: MessageCounts = {
    sms: twilio.messages.length,
    mails: mailbox.mails.filter(({ envelope }) => !envelope.every(isStaff)).length, // staff get notices of their sign-in
    dropped: 0,
    repeatedMails: 0,
  };
  let known = 0;

  for (const { tracked, document } of trackedShipments) {
    const history = document.statusHistory.map(({ status }) => status);
    const wasAssigned = history.includes('assigned');
    const isDelivered = document.status === 'delivered';
    const { recipient, contact } = peopleOf(tracked.plan.number);
    const due = {
      recipient: history[0] === 'created' || wasAssigned,
      contact: tracked.plan.isCollection && wasAssigned,
    };
    for (const [who, person] of Object.entries({ recipient, contact })) {
      const isDue = due[who as keyof typeof due];
      const sms = day.post.smsTo(person.phoneNumber).length;
      const mails = day.post.mailsTo(person.email);
      known += sms + mails.length;
      judge(`SMS to the ${who}`, sms, isDue);
      const byNews = Map.groupBy(mails, ({ subject }) => newsOf(subject));
      const cameOf = (news: string) => {
        const some = byNews.get(news) ?? [];
        return isDisturbed ? new Set(some.map(({ messageId }) => messageId)).size : some.length;
      };
      counts.repeatedMails += mails.length - new Set(mails.map(({ messageId }) => messageId)).size;
      judge(`e-mail to the ${who}`, cameOf('link'), isDue);
      for (const news of Object.keys(NEWS)) {
        const isExpected =
          news === 'delivery' && isDelivered && who === (tracked.plan.isCollection ? 'contact' : 'recipient');
        if (cameOf(news) > 1 || (isExpected && cameOf(news) === 0)) {
          violations.push(
            `${tracked.referenceNumber}: e-mail about the ${news} to the ${who} came ${cameOf(news)} times`,
          );
        }
      }
    }

    /** A cancellation may come before the message is sent, and after a fault so may the delivery. */
    function judge(what: string, came: number, isDue: boolean): void {
      const least = isDue && isDelivered && !isDisturbed ? 1 : 0;
      const most = isDue ? 1 : 0;
      if (came < least || came > most) {
        const { referenceNumber, plan } = tracked;
        violations.push(`${referenceNumber} (${plan.mode}, ${plan.fate}): ${what} came ${came} times, not ${most}`);
      }
      if (isDue && isDelivered && came === 0) counts.dropped++;
    }
  }
  const strays = counts.sms + counts.mails - known;
  if (strays !== 0) violations.push(`${strays} messages went to somebody who is not in the day`);
  return { violations, counts };
}
