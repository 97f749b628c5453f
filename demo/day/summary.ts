import type { ComparedShipment } from './checks/compare-history.ts';
import type { Day } from './day.ts';
import { FATES, type Fate } from './plan.ts';
import type { DayReport, Reporter } from './run-day.ts';

interface Paper {
  write(text: string): unknown;
  isTTY?: boolean;
}

const MOST_VIOLATIONS = 50; // on a terminal
const BARS = ['·', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

const paint = ({ isTTY }: Paper) => {
  const colour = (code: number) => (text: string) => (isTTY ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { bold: colour(1), dim: colour(2), green: colour(32), red: colour(31) };
};

/** Prints the progress: in place on a terminal, otherwise a line every few seconds. */
export function createReporter(paper: Paper): Reporter {
  const { dim } = paint(paper);
  let printedAt = Number.NEGATIVE_INFINITY;
  const clear = paper.isTTY ? '\r\u001b[K' : '';
  return {
    log: (line) => void paper.write(`${clear}${dim('·')} ${line}\n`),
    progress(day, seconds) {
      if (!paper.isTTY && seconds - printedAt < 5) return;
      printedAt = seconds;
      paper.write(`${clear}${progressLine(day, seconds)}${paper.isTTY ? '' : '\n'}`);
    },
  };
}

function progressLine({ journal, options }: Day, seconds: number): string {
  const [assigned, onTheWay] = [journal.count('assigned'), journal.count('picked_up') + journal.count('in_transit')];
  const [delivered, cancelled] = [journal.count('delivered'), journal.count('cancelled')];
  const waiting = journal.trackedShipments.size - assigned - onTheWay - delivered - cancelled;
  const width = 30;
  const full = Math.round((width * (delivered + cancelled)) / options.shipments);
  const bar = '█'.repeat(full) + '░'.repeat(width - full);
  return `${String(Math.round(seconds)).padStart(4)} s  ${bar}  ordered ${journal.trackedShipments.size}, waiting ${waiting}, assigned ${assigned}, on the way ${onTheWay}, delivered ${delivered}, cancelled ${cancelled}`;
}

/** The results of a day, on one screen. */
export function printSummary(report: DayReport, paper: Paper): void {
  const { bold, green, red, dim } = paint(paper);
  const { day, drivers, trackedShipments, webhooks, messages, violations, faults, seconds } = report;
  const { options, seen, operator, patience } = day;
  const print = (line = '') => void paper.write(`${line}\n`);
  const row = (name: string, text: string) => print(`  ${name.padEnd(14)}${text}`);
  const count = (status: string) => trackedShipments.filter(({ document }) => document.status === status).length;
  const onSocket = drivers.filter(({ phone }) => phone.channel === 'realtime').length;

  print();
  print(bold(`A day in ${seconds.toFixed(0)} seconds (seed ${options.seed})`));
  print();
  row('shipments', `${trackedShipments.length}: ${count('delivered')} delivered, ${count('cancelled')} cancelled`);
  row('', sortedCounts(trackedShipments.map(({ tracked }) => tracked.plan.mode)));
  row('', `${trackedShipments.filter(({ tracked }) => tracked.plan.isCollection).length} collections`);
  row('drivers', `${drivers.length}: ${drivers.length - onSocket} over HTTP, ${onSocket} over the socket`);
  row('', `deliveries each: ${spread(drivers.map(({ delivered }) => delivered))}`);
  row(
    'offers',
    `${seen.offers} seen, ${seen.accepted} accepted, ${seen.refused} refused, ${seen.ignored} left to expire, ${seen.tooLate} taken by a faster one`,
  );
  row(
    'on the road',
    `${seen.positions} positions, ${seen.commands} commands, ${seen.pushes} pushes received, ${seen.wrongCodes} wrong codes`,
  );
  const handled = Object.entries(operator.handled()).map(([kind, entries]) => `${entries} ${kind.replace('_', ' ')}`);
  row('operator', `${operator.acts()} acts at the console; entries of the inbox: ${handled.join(', ')}`);
  row(
    'webhooks',
    `${webhooks.arrived}: ${Object.entries(webhooks.byEvent)
      .map(([event, many]) => `${many} ${event.replace('shipping.', '')}`)
      .join(', ')}`,
  );
  row(
    '',
    `${webhooks.silent} changes over the socket, silent${webhooks.repeated ? `; ${webhooks.repeated} repeated after a fault or a late answer` : ''}`,
  );
  row(
    'messages',
    `${messages.sms} SMS, ${messages.mails} e-mails${messages.dropped ? `; ${messages.dropped} dropped: the parcel came first` : ''}${messages.repeatedMails ? `; ${messages.repeatedMails} e-mails twice after a fault` : ''}`,
  );
  row('pages', `${seen.pages} opened by recipients`);
  const struck = [...faults.values()].reduce((sum, times) => sum + times, 0);
  row('requests', `${patience.answered} answered, ${patience.askedAgain} retried`);
  if (options.faults !== 'none') row('faults', `${struck}`);
  for (const [name, times] of [...faults].sort(([a], [b]) => a.localeCompare(b)))
    row('', `${String(times).padStart(3)} ${name}`);
  print();
  row('to a driver', times(trackedShipments.map(secondsToDriver)));
  row('to delivery', times(trackedShipments.map(secondsToDelivery)));
  print();
  printTimeline(trackedShipments, row);
  print();
  for (const [fate, many] of fatesOf(trackedShipments)) print(`  ${String(many).padStart(5)}  ${dim(FATES[fate])}`);
  print();
  if (violations.length === 0) {
    print(
      green(
        `✓ Clean: ${trackedShipments.length} histories, ${webhooks.arrived} webhooks, ${messages.sms + messages.mails} messages and ${report.invariants} invariants of the audit are as promised.`,
      ),
    );
    return;
  }
  print(red(`✗ ${violations.length} violations`));
  const shown = paper.isTTY ? violations.slice(0, MOST_VIOLATIONS) : violations;
  for (const violation of shown) print(`  ${violation}`);
  if (shown.length < violations.length) print(`  … and ${violations.length - shown.length} more`);
}

/** From the start of the search to the first assignment. */
function secondsToDriver({ document: { statusHistory } }: ComparedShipment): number | null {
  const searched = statusHistory.find(({ status }) => status === 'created');
  const found = statusHistory.find(({ status }) => status === 'assigned');
  return searched && found ? (Date.parse(found.at) - Date.parse(searched.at)) / 1_000 : null;
}

function secondsToDelivery({ document: { statusHistory } }: ComparedShipment): number | null {
  const searched = statusHistory.find(({ status }) => status === 'created');
  const delivered = statusHistory.find(({ status }) => status === 'delivered');
  return searched && delivered ? (Date.parse(delivered.at) - Date.parse(searched.at)) / 1_000 : null;
}

function times(all: (number | null)[]): string {
  const sorted = all.filter((value) => value !== null).sort((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1);
  return `p50 ${at(0.5)} s, p95 ${at(0.95)} s, most ${at(1)} s`;
}

const COLUMNS = 60;

/** When things happened, from the first order to the last delivery. */
function printTimeline(trackedShipments: ComparedShipment[], row: (name: string, text: string) => void): void {
  const steps = trackedShipments.flatMap(({ document }) =>
    document.statusHistory.map(({ status, at }) => ({ status, at: Date.parse(at) })),
  );
  const [first, last] = [Math.min(...steps.map(({ at }) => at)), Math.max(...steps.map(({ at }) => at))];
  const draw = (name: string, wanted: (status: string) => boolean) => {
    const columns = Array<number>(COLUMNS).fill(0);
    for (const { status, at } of steps) {
      const column = Math.min(COLUMNS - 1, Math.floor((COLUMNS * (at - first)) / (last - first + 1)));
      if (wanted(status)) columns[column] = (columns[column] ?? 0) + 1;
    }
    const highest = Math.max(...columns, 1);
    row(name, columns.map((many) => BARS[Math.ceil((many / highest) * (BARS.length - 1))]).join(''));
  };
  draw('searched', (status) => status === 'created');
  draw('assigned', (status) => status === 'assigned');
  draw('delivered', (status) => status === 'delivered');
}

function fatesOf(trackedShipments: ComparedShipment[]): [Fate, number][] {
  const counted = Map.groupBy(trackedShipments, ({ tracked }) => tracked.plan.fate);
  return (Object.keys(FATES) as Fate[]).flatMap((fate) => {
    const many = counted.get(fate)?.length ?? 0;
    return many > 0 ? [[fate, many] as [Fate, number]] : [];
  });
}

const sortedCounts = (names: string[]) =>
  [...Map.groupBy(names, (name) => name)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([name, all]) => `${all.length} ${name.replace('-', ' ')}`)
    .join(', ');

function spread(numbers: number[]): string {
  const sorted = numbers.toSorted((a, b) => a - b);
  return `${sorted[0]} to ${sorted.at(-1)}, half of them ${sorted[Math.floor(sorted.length / 2)]} or more`;
}
