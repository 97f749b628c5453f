import type { Day } from '../day.ts';
import type { DriverAtWork } from '../driver.ts';
import { PEOPLE } from '../post.ts';
import type { RushHour } from '../rush-hour.ts';
import type { Stage } from '../stage.ts';
import { checkMessages, type MessageCounts } from './check-messages.ts';
import { checkPages } from './check-pages.ts';
import { checkWebhooks, untilWebhooksArrived, type WebhookCounts } from './check-webhooks.ts';
import { type ComparedStory, compareHistory } from './compare-history.ts';
import { readEveryShipment } from './read-every-shipment.ts';

export interface Findings {
  /** Everything that is not as promised; a good day has none. */
  violations: string[];
  stories: ComparedStory[];
  webhooks: WebhookCounts;
  messages: MessageCounts;
  pagesLookedAt: number;
  invariants: number;
  /** Lines of the log that speak of an error. */
  errorsLogged: string[];
}

/** Compares what the day did with what merchants, endpoints, phones, mailboxes, logs and the audit say. */
export async function checkDay(day: Day, stage: Stage, rush: RushHour, drivers: DriverAtWork[]): Promise<Findings> {
  const violations = [...day.book.complaints];
  const { documents, faults } = await readEveryShipment(day);
  violations.push(...faults);
  const automatic = new Set(drivers.filter(({ autoAccept }) => autoAccept).map(({ id }) => id));
  const stories = [...day.book.stories.values()].flatMap((story) => {
    const document = documents.get(story.id);
    return document ? compareHistory(story, document, rush, { isExact: !day.options.kill, automatic }) : [];
  });
  violations.push(...stories.flatMap(({ faults: found }) => found));

  await untilWebhooksArrived(day, stage.receiver, stories);
  const pages = await checkPages(day);
  violations.push(...pages.violations, ...(await findLeftovers(day, stage)));
  await stage.cast.goHome();

  const webhooks = checkWebhooks(day, stage.receiver, stories);
  const messages = checkMessages(day, stage, stories);
  violations.push(...webhooks.violations, ...messages.violations, ...checkSecrecy(day, stage));
  const errorsLogged = stage.cast.logged().filter((line) => /^\{"level":[56]0,/.test(line));
  if (!day.options.kill) violations.push(...errorsLogged.map((line) => `logged: ${line.slice(0, 300)}`));
  const audit = (await stage.navette(['audit']).catch((error: unknown) => {
    violations.push(`audit: ${String(error)}`);
    return [];
  })) as unknown[];
  return {
    ...{ violations, stories, webhooks: webhooks.counts, messages: messages.counts },
    ...{ pagesLookedAt: pages.lookedAt, invariants: audit.length, errorsLogged },
  };
}

/** Nothing waits for the operator, and nothing is still to be sent. */
async function findLeftovers({ merchants }: Day, { navette }: Stage): Promise<string[]> {
  const unassigned = (await navette(['shipment', 'list', '--unassigned'])) as unknown[];
  const pending: string[] = [];
  for (const { id, name } of merchants) {
    const rows = (await navette(['webhook', 'deliveries', id, '--status', 'pending'])) as unknown[];
    if (rows.length > 0) pending.push(`${rows.length} webhooks of ${name} are still to be sent`);
  }
  return [...(unassigned.length > 0 ? [`${unassigned.length} shipments wait for a driver`] : []), ...pending];
}

/** A delivery code is for the recipient's page alone, and people are in no log. */
function checkSecrecy({ book, eavesdropper }: Day, { receiver, cast }: Stage): string[] {
  for (const { body } of receiver.received) eavesdropper.hear(body.toString());
  const codes = [...book.stories.values()].flatMap(({ code }) => code ?? []);
  const people = cast.logged().filter((line) => PEOPLE.test(line));
  return [
    ...eavesdropper.caught(codes).map((code) => `delivery code ${code} was in an answer or a webhook`),
    ...(eavesdropper.named() > 0 ? [`${eavesdropper.named()} answers or webhooks have a field deliveryCode`] : []),
    ...(people.length > 0 ? [`${people.length} lines of the log name people: ${people[0]?.slice(0, 200)}`] : []),
  ];
}
