import type { Story } from './book.ts';
import type { Day } from './day.ts';
import { untilAnswered } from './patience.ts';
import { linkIn, peopleOf, pickupTokenIn } from './post.ts';

/** Who waits for a parcel, and who hands one over: they have what came by SMS and e-mail, and nothing else. */
export interface Recipients {
  /** The code, from the page behind the link in the SMS; null while nothing has come. */
  codeFor(story: Story): Promise<string | null>;
  /** What the QR code in the e-mail says; null while it has not come. */
  pickupTokenFor(story: Story): string | null;
  /** The page as it is now, and its HTTP status. */
  pageOf(story: Story): Promise<{ status: number; body: string } | null>;
}

const LATE_MS = 6_000; // for a message whose worker was killed; then one does with the other message

export function gatherRecipients(day: Pick<Day, 'options' | 'patience' | 'post' | 'seen'>, urls: string[]): Recipients {
  const { post, patience, seen } = day;
  /** Both messages, or after a kill whichever has come. */
  const hasWaitedEnough = ({ waitingSince }: Story) =>
    day.options.kill && waitingSince !== null && performance.now() - waitingSince > LATE_MS;

  function messagesTo(story: Story, who: 'recipient' | 'contact') {
    const { phoneNumber, email } = peopleOf(story.plan.number)[who];
    return { sms: post.smsTo(phoneNumber)[0], mail: post.mailsTo(email)[0] };
  }

  async function open(path: string) {
    const answer = await untilAnswered(async (attempt) => {
      const response = await fetch(`${urls[attempt % urls.length]}${path}`);
      return { status: response.status, body: await response.text() };
    }, patience);
    seen.pages++;
    return answer as { status: number; body: string };
  }

  function linkOf(story: Story): string | null {
    const { sms, mail } = messagesTo(story, 'recipient');
    return linkIn(sms?.body ?? mail?.text ?? '');
  }

  return {
    async codeFor(story) {
      if (story.code) return story.code;
      const { sms, mail } = messagesTo(story, 'recipient');
      if (!(sms && mail) && !hasWaitedEnough(story)) return null;
      const link = linkOf(story);
      if (!link) return null;
      const { body } = await open(link);
      story.code = /<span class="hidden">((?:\d ){5}\d)<\/span>/.exec(body)?.[1]?.replaceAll(' ', '') ?? null;
      return story.code;
    },
    pickupTokenFor(story) {
      const { sms, mail } = messagesTo(story, 'contact');
      return mail && (sms || hasWaitedEnough(story)) ? pickupTokenIn(mail) : null;
    },
    async pageOf(story) {
      const link = linkOf(story);
      return link ? open(link) : null;
    },
  };
}
