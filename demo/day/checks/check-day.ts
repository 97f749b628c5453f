import { setTimeout } from 'node:timers/promises';
import type { Day } from '../day.ts';
import type { DriverAtWork } from '../driver.ts';
import type { Installation } from '../installation.ts';
import { PEOPLE } from '../post.ts';
import type { RushHour } from '../rush-hour.ts';
import { checkMessages, type MessageCounts } from './check-messages.ts';
import { checkPages } from './check-pages.ts';
import { checkWebhooks, missingWebhooks, type WebhookCounts } from './check-webhooks.ts';
import { type ComparedShipment, compareHistory } from './compare-history.ts';
import { readEveryShipment } from './read-every-shipment.ts';

export interface Findings {
  /** Deviations from the contract; a good day has none. */
  violations: string[];
  trackedShipments: ComparedShipment[];
  webhooks: WebhookCounts;
  messages: MessageCounts;
  pagesLookedAt: number;
  invariants: number;
  /** Error lines of the log. */
  errorsLogged: string[];
}

/** Compares the journal with the merchants' API, webhooks, SMS, e-mails, logs and the audit. */
export async function checkDay(
  day: Day,
  installation: Installation,
  rush: RushHour,
  drivers: DriverAtWork[],
): Promise<Findings> {
  const violations = [...day.journal.problems];
  const { documents, faults } = await readEveryShipment(day);
  violations.push(...faults);
  const automatic = new Set(drivers.filter(({ autoAccept }) => autoAccept).map(({ id }) => id));
  const trackedShipments = [...day.journal.trackedShipments.values()].flatMap((tracked) => {
    const document = documents.get(tracked.id);
    return document
      ? compareHistory(tracked, document, rush, { isExact: day.options.faults === 'none', automatic })
      : [];
  });
  violations.push(...trackedShipments.flatMap(({ faults: found }) => found));

  await untilNone(() => missingWebhooks(day, installation.receiver, trackedShipments));
  await untilNone(() => checkMessages(day, installation, trackedShipments).violations.length);
  const pages = await checkPages(day);
  violations.push(...pages.violations, ...(await findLeftovers(day, installation)));
  await installation.processes.stopAll();
  violations.push(...installation.processes.crashes());

  const webhooks = checkWebhooks(day, installation.receiver, trackedShipments);
  const messages = checkMessages(day, installation, trackedShipments);
  violations.push(...webhooks.violations, ...messages.violations, ...checkSecrecy(day, installation));
  const errorsLogged = installation.processes.logged().filter((line) => /^\{"level":[56]0,/.test(line));
  if (day.options.faults === 'none') violations.push(...errorsLogged.map((line) => `logged: ${line.slice(0, 300)}`));
  const proven = async (args: string[], input?: string) =>
    (await installation.navette(args, input).catch((error: unknown) => {
      violations.push(String(error));
      return [];
    })) as unknown[];
  const audit = await proven(['audit']);
  const log = installation.processes.logged().join('\n');
  await proven(['verify', '--since', '2000-01-01T00:00:00Z', '--log', '-'], log); // the installation is new
  return {
    ...{ violations, trackedShipments, webhooks: webhooks.counts, messages: messages.counts },
    ...{ pagesLookedAt: pages.lookedAt, invariants: audit.length, errorsLogged },
  };
}

const LONGEST_WAIT_MS = 90_000; // another worker takes over a killed worker's jobs within half a minute, then the retries follow

/** Waits until everything has arrived or is overdue. */
async function untilNone(countMissing: () => number): Promise<void> {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  while (countMissing() > 0 && performance.now() < deadline) await setTimeout(500);
}

/** Entries of the inbox, shipments without a driver and pending webhooks; none may be left. */
async function findLeftovers({ merchants, operator }: Day, { navette }: Installation): Promise<string[]> {
  const unassigned = (await navette(['shipment', 'list', '--unassigned'])) as unknown[];
  const pending: string[] = [];
  for (const { id, name } of merchants) {
    const rows = (await navette(['webhook', 'deliveries', id, '--status', 'pending'])) as unknown[];
    if (rows.length > 0) pending.push(`${rows.length} webhooks of ${name} are still to be sent`);
  }
  const inbox = (await operator.leftInInbox()).map((entry) => `still in the inbox: ${JSON.stringify(entry)}`);
  return [...inbox, ...(unassigned.length > 0 ? [`${unassigned.length} shipments wait for a driver`] : []), ...pending];
}

/** Only the recipient's page may contain a delivery code, and no log may contain personal data. */
function checkSecrecy({ journal, leakDetector }: Day, { receiver, processes }: Installation): string[] {
  for (const { body } of receiver.received) leakDetector.record(body.toString());
  const codes = [...journal.trackedShipments.values()].flatMap(({ code }) => code ?? []);
  const people = processes.logged().filter((line) => PEOPLE.test(line));
  return [
    ...leakDetector.leaked(codes).map((code) => `delivery code ${code} was in an answer or a webhook`),
    ...(leakDetector.named() > 0 ? [`${leakDetector.named()} answers or webhooks have a field deliveryCode`] : []),
    ...(people.length > 0 ? [`${people.length} lines of the log name people: ${people[0]?.slice(0, 200)}`] : []),
  ];
}
