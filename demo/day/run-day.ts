import { createChance } from './chance.ts';
import { checkDay, type Findings } from './checks/check-day.ts';
import { createShops, type HiredDriver, hireDrivers, SHOPS } from './company.ts';
import type { Day, DayOptions } from './day.ts';
import { type DriverAtWork, type Tempo, work } from './driver.ts';
import { phoneOverHttp, phoneOverSocket } from './driver-phone.ts';
import { type Fault, inAnyOrder, inTurn, strikeWith } from './faults.ts';
import { type Installation, startInstallation } from './installation.ts';
import { createJournal } from './journal.ts';
import { createLeakDetector } from './leak-detector.ts';
import { openShop, subscribe } from './merchant.ts';
import { seatOperator } from './operator.ts';
import { openOperatorRecords } from './operator-records.ts';
import { placeOrders } from './orders.ts';
import { somewhereInParis } from './paris.ts';
import { createPatience } from './patience.ts';
import { planDay } from './plan.ts';
import { openPost } from './post.ts';
import { gatherRecipients } from './recipients.ts';
import { chooseLeadMinutes, nextRushHour, type RushHour } from './rush-hour.ts';
import { hireStaff } from './staff.ts';

export interface DayReport extends Findings {
  day: Day;
  drivers: DriverAtWork[];
  /** How often each happened, by its name. */
  faults: Map<string, number>;
  /** From the first order to the last delivery. */
  seconds: number;
}

export interface Reporter {
  /** Prints one line. */
  log: (line: string) => void;
  /** Prints the progress, regularly. */
  progress: (day: Day, seconds: number) => void;
}

/** Somebody ends the day: it takes its installation away. */
const ENDING = ['SIGINT', 'SIGTERM'] as const;

/** A whole day: starts the installation, runs all clients until everything is delivered, then checks everything. */
export async function runDay(options: DayOptions, { log, progress }: Reporter): Promise<DayReport> {
  const chance = createChance(options.seed);
  const config = planFor(options);
  const leadMinutes = chooseLeadMinutes(new Date(), 'Europe/Paris');
  log(
    'starting the installation: a database, two api processes, two workers, an SMS carrier, a mailbox, webhook endpoints',
  );
  const ownEngines = options.faults === 'all';
  const installation = await startInstallation(leadMinutes, options.drivers, { ownEngines });
  const end = new AbortController();
  let isLeaving = false;
  const interrupt = () => {
    if (isLeaving) return; // both signals may come
    isLeaving = true;
    process.on('unhandledRejection', () => {}); // a fault under way fails with its engines
    void installation.remove().finally(() => process.exit(130));
  };
  for (const signal of ENDING) process.once(signal, interrupt);
  try {
    const shops = await createShops(installation.navette, chance);
    const hired = await hireDrivers(installation.navette, options.drivers);
    log(`the operator has opened ${shops.length} accounts and hired ${hired.length} drivers`);

    const patience = createPatience(end.signal);
    const journal = createJournal();
    const post = openPost(installation.twilio, installation.mailbox);
    const seen = emptyCounts();
    const leakDetector = createLeakDetector();
    let isOrdered = false;
    const hire = (name: string) => hireStaff(installation.navette, installation.urls, patience, name);
    const staff = [await hire('Camille Aubert'), await hire('Basile Besson')] as const;
    const recipients = gatherRecipients({ options, journal, patience, post, seen }, installation.urls);
    const operatorRecords = openOperatorRecords(journal);
    const day: Day = {
      ...{ recipients, operatorRecords, options, journal, chance, patience, post, seen, leakDetector },
      merchants: shops.map((shop) => openShop(shop, installation.urls, patience, leakDetector)),
      operator: seatOperator(staff, (number) => recipients.answerPhone(number), operatorRecords),
      isOver: () => end.signal.aborted || (isOrdered && journal.unfinished().length === 0),
    };
    await subscribeAll(day, installation);
    const { rush, isAhead } = chooseRushHour(leadMinutes, installation.timeZone, config.earlyMs, options);
    const plan = planDay(chance, options.shipments, SHOPS.length, { ...config, hasAgreedTime: isAhead });
    const special = shops.at(-1) as (typeof shops)[0];
    const agreement = { isSpecialRequest: true, agreedPickupTime: rush.agreedTime };
    await installation.navette(['account', 'update', special.id, '--input', '-'], agreement);
    const drivers = await Promise.all(hired.map((driver, i) => equip(driver, i, installation, day)));

    const began = performance.now();
    const elapsed = () => (performance.now() - began) / 1_000;
    const toRush = Math.round((rush.at.getTime() - Date.now()) / 1_000);
    log(`the day begins; scheduled shipments are due ${isAhead ? `${toRush} s from now` : 'at once'}`);
    const reporting = setInterval(() => progress(day, elapsed()), 1_000);
    const deadline = setTimeout(() => end.abort(), config.deadlineMs);
    const disturbing = new AbortController();
    const faults = new Map<string, number>();
    let struck = 0;
    const disturbed = strikeWith(faultsOf(options, installation), options.faultEveryMs, disturbing.signal, (name) => {
      log(name);
      faults.set(name, (faults.get(name) ?? 0) + 1);
      if (++struck >= options.mostFaults) disturbing.abort();
    });
    const working = drivers.map((driver) => work(day, driver, somewhereInParis(chance), config.tempo));
    try {
      const ordering = placeOrders(day, plan, rush).then(() => {
        isOrdered = true;
      });
      await Promise.all([ordering, ...working, day.operator.work(() => day.isOver())]);
    } catch (error) {
      if (!end.signal.aborted) throw error;
    } finally {
      clearInterval(reporting);
      clearTimeout(deadline);
      disturbing.abort();
      await disturbed;
    }
    const seconds = elapsed();
    progress(day, seconds);
    await Promise.allSettled(working);
    if (end.signal.aborted) await reportUnfinished(day, installation);
    patience.signal = new AbortController().signal; // the checks have their own limits
    log(
      `${end.signal.aborted ? 'the deadline has come' : 'all is delivered'} after ${seconds.toFixed(0)} s; now everything is checked`,
    );
    const findings = await checkDay(day, installation, rush, drivers);
    return { ...findings, day, drivers, faults, seconds };
  } finally {
    for (const signal of ENDING) process.off(signal, interrupt);
    end.abort();
    await installation.remove();
  }
}

const MOST_EXPLAINED = 5;

/** Reports the unfinished shipments at the deadline, with the operator's explanation. */
async function reportUnfinished({ journal }: Day, { navette }: Installation): Promise<void> {
  const unfinished = journal.unfinished();
  for (const [i, tracked] of unfinished.entries()) {
    journal.report(tracked, `not finished in time: ${JSON.stringify({ ...tracked, plan: tracked.plan.mode })}`);
    if (i >= MOST_EXPLAINED) continue;
    for (const line of await explain(tracked.referenceNumber, navette)) journal.report(tracked, `  ${line}`);
  }
  if (unfinished.length === 0) journal.report(null, 'everything was delivered, but a client did not stop');
}

async function explain(referenceNumber: string, navette: Installation['navette']): Promise<string[]> {
  try {
    const { lines } = (await navette(['shipment', 'explain', referenceNumber])) as {
      lines: { at: string; text: string }[];
    };
    return lines.map(({ at, text }) => `${at} ${text}`);
  } catch (error) {
    return [String(error)]; // the shipment may be lost
  }
}

function faultsOf({ faults, seed }: DayOptions, { processes, faults: all }: Installation): Iterable<Fault> {
  if (faults === 'none') return [];
  return faults === 'kills' ? inTurn(processes.kills) : inAnyOrder(all, createChance(seed));
}

/** A minute for the default day; more time for a large one. */
function planFor({ shipments, drivers, faults, minutes }: DayOptions) {
  const isLarge = drivers > 100;
  const neededMs = Math.max(8_000, Math.min(25_000, shipments * 90)) + Math.max(0, shipments - 300) * 60;
  const openMs = minutes === null ? neededMs : minutes * 60_000;
  const tempo: Tempo = isLarge
    ? { tickMs: 2_000, pingMs: 5_000, lookMs: { http: 6_000, realtime: 15_000 }, strideKm: 4 }
    : { tickMs: 300, pingMs: 1_000, lookMs: { http: 900, realtime: 3_000 }, strideKm: 2.5 };
  const earlyMs = Math.max(2_500, shipments * 2);
  return { openMs, tempo, earlyMs, deadlineMs: openMs + neededMs * 1.5 + (faults === 'none' ? 150_000 : 240_000) };
}

function chooseRushHour(
  leadMinutes: number,
  timeZone: string,
  earlyMs: number,
  { mostSecondsToRush }: DayOptions,
): { rush: RushHour; isAhead: boolean } {
  const earliest = Date.now() + earlyMs + 5_000; // early orders must exist by then
  const rush = nextRushHour(new Date(earliest), leadMinutes, timeZone);
  const isAhead = rush.at.getTime() - Date.now() < mostSecondsToRush * 1_000;
  return { isAhead, rush: isAhead ? rush : nextRushHour(new Date(Date.now() - 60_000), leadMinutes, timeZone) };
}

async function equip(hired: HiredDriver, i: number, installation: Installation, day: Day): Promise<DriverAtWork> {
  const line = {
    urls: installation.urls,
    token: hired.token,
    first: i >> 1,
    patience: day.patience,
    leakDetector: day.leakDetector,
  };
  const phone = i % 2 === 0 ? phoneOverHttp(line) : await phoneOverSocket(line);
  return { ...hired, phone, offered: new Set(), accepted: new Set(), runs: [], delivered: 0 };
}

/** Every merchant receives all events. The first also has a webhook for final states only, and an inactive one. */
async function subscribeAll({ merchants }: Day, { receiver }: Installation): Promise<void> {
  for (const [i, merchant] of merchants.entries()) await subscribe(merchant, receiver, `/shop/${i}`);
  const [first] = merchants;
  if (!first) return;
  await subscribe(first, receiver, '/shop/0/ends', { events: ['shipping.delivered', 'shipping.cancelled'] });
  await subscribe(first, receiver, '/shop/0/off', { isActive: false });
}

const emptyCounts = (): Day['seen'] => ({
  ...{ offers: 0, accepted: 0, refused: 0, ignored: 0, tooLate: 0, wrongCodes: 0 },
  ...{ pushes: 0, positions: 0, pages: 0, commands: 0 },
});
