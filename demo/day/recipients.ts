import type { Day } from './day.ts';
import type { TrackedShipment } from './journal.ts';
import type { Place } from './paris.ts';
import { untilAnswered } from './patience.ts';
import { codeIn, linkIn, peopleOf, pickupTokenIn } from './post.ts';

/** Recipients and collection contacts. They know only the content of their SMS and e-mails. */
export interface Recipients {
  /** The code from the page that the SMS links to; null before the messages arrive. */
  codeFor(tracked: TrackedShipment): Promise<string | null>;
  /** The text of the QR code in the e-mail; null before it arrives. */
  pickupTokenFor(tracked: TrackedShipment): string | null;
  /** Where the person with this number expects a parcel; null when it is nobody's number. */
  answerPhone(number: string): Place | null;
  /** The page as it is now, and its HTTP status. */
  pageOf(tracked: TrackedShipment): Promise<{ status: number; body: string } | null>;
}

const LATE_MS = 6_000; // after a kill, one of the two messages is enough after this time

export function gatherRecipients(
  day: Pick<Day, 'options' | 'journal' | 'patience' | 'post' | 'seen'>,
  urls: string[],
): Recipients {
  const { post, patience, seen } = day;
  /** Both messages, or after a kill one of them. */
  const hasWaitedEnough = ({ waitingSince }: TrackedShipment) =>
    day.options.faults !== 'none' && waitingSince !== null && performance.now() - waitingSince > LATE_MS;

  function messagesTo(tracked: TrackedShipment, who: 'recipient' | 'contact') {
    const { phoneNumber, email } = peopleOf(tracked.plan.number)[who];
    const mails = post.mailsTo(email);
    // The first e-mail to a contact may be about the slot; the one about the pickup has the QR code.
    const mail = who === 'contact' ? mails.find(({ attachments }) => attachments.length > 0) : mails[0];
    return { sms: post.smsTo(phoneNumber)[0], mail };
  }

  async function open(path: string) {
    const answer = await untilAnswered(async (attempt) => {
      const response = await fetch(`${urls[attempt % urls.length]}${path}`);
      return { status: response.status, body: await response.text() };
    }, patience);
    seen.pages++;
    return answer as { status: number; body: string };
  }

  function linkOf(tracked: TrackedShipment): string | null {
    const { sms, mail } = messagesTo(tracked, 'recipient');
    return linkIn(sms?.body ?? mail?.text ?? '');
  }

  return {
    async codeFor(tracked) {
      if (tracked.code) return tracked.code;
      const { sms, mail } = messagesTo(tracked, 'recipient');
      if (!(sms && mail) && !hasWaitedEnough(tracked)) return null;
      const link = linkOf(tracked);
      if (!link) return null;
      const { body } = await open(link);
      tracked.code = codeIn(body);
      return tracked.code;
    },
    pickupTokenFor(tracked) {
      const { sms, mail } = messagesTo(tracked, 'contact');
      return mail && (sms || hasWaitedEnough(tracked)) ? pickupTokenIn(mail) : null;
    },
    answerPhone(number) {
      const all = [...day.journal.trackedShipments.values()];
      return all.find(({ plan }) => peopleOf(plan.number).recipient.phoneNumber === number)?.plan.to ?? null;
    },
    async pageOf(tracked) {
      const link = linkOf(tracked);
      return link ? open(link) : null;
    },
  };
}
