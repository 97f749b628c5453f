import { openBook } from './book.ts';
import { createChance } from './chance.ts';
import { checkDay, type Findings } from './checks/check-day.ts';
import { createShops, type HiredDriver, hireDrivers, SHOPS } from './company.ts';
import type { Day, DayOptions } from './day.ts';
import { type DriverAtWork, type Tempo, work } from './driver.ts';
import { phoneOverHttp, phoneOverSocket } from './driver-phone.ts';
import { placeEavesdropper } from './eavesdropper.ts';
import { openShop, subscribe } from './merchant.ts';
import { seatOperator } from './operator.ts';
import { placeOrders } from './orders.ts';
import { somewhereInParis } from './paris.ts';
import { planDay } from './plan.ts';
import { openPost } from './post.ts';
import { gatherRecipients } from './recipients.ts';
import { chooseLeadMinutes, nextRushHour, type RushHour } from './rush-hour.ts';
import { type Stage, setStage } from './stage.ts';

export interface DayReport extends Findings {
  day: Day;
  drivers: DriverAtWork[];
  kills: number;
  /** From the first order to the last delivery. */
  seconds: number;
}

export interface Narrator {
  /** One line of what happens. */
  say: (line: string) => void;
  /** How far the day is, now and then. */
  progress: (day: Day, seconds: number) => void;
}

/** A whole day: the stage is set, everybody works until all is delivered, and then everything is checked. */
export async function runDay(options: DayOptions, { say, progress }: Narrator): Promise<DayReport> {
  const chance = createChance(options.seed);
  const config = planFor(options);
  const leadMinutes = chooseLeadMinutes(new Date(), 'Europe/Paris');
  say('setting the stage: a database, two api processes, two workers, an SMS carrier, a mailbox, webhook endpoints');
  const stage = await setStage(leadMinutes, options.drivers);
  const end = new AbortController();
  const interrupt = () => void stage.strike().finally(() => process.exit(130));
  process.once('SIGINT', interrupt);
  try {
    const shops = await createShops(stage.navette, chance);
    const hired = await hireDrivers(stage.navette, options.drivers);
    say(`the operator has opened ${shops.length} accounts and hired ${hired.length} drivers`);

    const patience = { signal: end.signal, askedAgain: 0 };
    const book = openBook();
    const post = openPost(stage.twilio, stage.mailbox);
    const seen = emptyCounts();
    const eavesdropper = placeEavesdropper();
    let isOrdered = false;
    const day: Day = {
      ...{ options, book, chance, patience, post, seen, eavesdropper },
      merchants: shops.map((shop) => openShop(shop, stage.urls, patience, eavesdropper)),
      operator: seatOperator(
        stage.navette,
        book,
        chance,
        hired.map(({ id }) => id),
      ),
      recipients: gatherRecipients({ options, patience, post, seen }, stage.urls),
      isOver: () => end.signal.aborted || (isOrdered && book.unfinished().length === 0),
    };
    await subscribeAll(day, stage);
    const { rush, isAhead } = chooseRushHour(leadMinutes, stage.timeZone, config.earlyMs, options);
    const plan = planDay(chance, options.shipments, SHOPS.length, { ...config, hasAgreedTime: isAhead });
    const special = shops.at(-1) as (typeof shops)[0];
    await stage.navette(['account', 'update', special.id, '--input', '-'], { agreedPickupTime: rush.agreedTime });
    const drivers = await Promise.all(hired.map((driver, i) => equip(driver, i, stage, day)));

    const began = performance.now();
    const elapsed = () => (performance.now() - began) / 1_000;
    const toRush = Math.round((rush.at.getTime() - Date.now()) / 1_000);
    say(`the day begins; what waits for a time is due ${isAhead ? `${toRush} s from now` : 'at once'}`);
    const telling = setInterval(() => progress(day, elapsed()), 1_000);
    const deadline = setTimeout(() => end.abort(), config.deadlineMs);
    const killing = new AbortController();
    let kills = 0;
    const killed = options.kill
      ? stage.cast.killInTurn(options.killEveryMs, killing.signal, (who) => {
          say(`kill -9 ${who}`);
          if (++kills >= options.mostKills) killing.abort();
        })
      : Promise.resolve();
    const working = drivers.map((driver) => work(day, driver, somewhereInParis(chance), config.tempo));
    try {
      const ordering = placeOrders(day, plan, rush).then(() => {
        isOrdered = true;
      });
      await Promise.all([ordering, ...working]);
      await day.operator.rest();
    } catch (error) {
      if (!end.signal.aborted) throw error;
    } finally {
      clearInterval(telling);
      clearTimeout(deadline);
      killing.abort();
      await killed;
    }
    const seconds = elapsed();
    progress(day, seconds);
    await Promise.allSettled(working);
    if (end.signal.aborted) await tellUnfinished(day, stage);
    patience.signal = new AbortController().signal; // what follows has limits of its own
    say(
      `${end.signal.aborted ? 'the deadline has come' : 'all is delivered'} after ${seconds.toFixed(0)} s; now everything is checked`,
    );
    const findings = await checkDay(day, stage, rush, drivers);
    return { ...findings, day, drivers, kills, seconds };
  } finally {
    process.off('SIGINT', interrupt);
    end.abort();
    await stage.strike();
  }
}

const MOST_EXPLAINED = 5;

/** What is missing at the deadline, and why, as the operator would find out. */
async function tellUnfinished({ book }: Day, { navette }: Stage): Promise<void> {
  const unfinished = book.unfinished();
  for (const [i, story] of unfinished.entries()) {
    book.complain(story, `not finished in time: ${JSON.stringify({ ...story, plan: story.plan.mode })}`);
    if (i >= MOST_EXPLAINED) continue;
    const { lines } = (await navette(['shipment', 'explain', story.referenceNumber])) as {
      lines: { at: string; text: string }[];
    };
    for (const { at, text } of lines) book.complain(story, `  ${at} ${text}`);
  }
  if (unfinished.length === 0) book.complain(null, 'everything was delivered, and yet somebody did not go home');
}

/** A minute for the ordinary day; a large one takes as long as it needs, within reason. */
function planFor({ shipments, drivers, kill }: DayOptions) {
  const isLarge = drivers > 100;
  const openMs = Math.max(8_000, Math.min(25_000, shipments * 90)) + Math.max(0, shipments - 300) * 60;
  const tempo: Tempo = isLarge
    ? { tickMs: 2_000, pingMs: 5_000, lookMs: { http: 6_000, realtime: 15_000 }, strideKm: 4 }
    : { tickMs: 300, pingMs: 1_000, lookMs: { http: 900, realtime: 3_000 }, strideKm: 2.5 };
  const earlyMs = Math.max(2_500, shipments * 2);
  return { openMs, tempo, earlyMs, deadlineMs: openMs * 2.5 + (kill ? 240_000 : 150_000) };
}

function chooseRushHour(
  leadMinutes: number,
  timeZone: string,
  earlyMs: number,
  { mostSecondsToRush }: DayOptions,
): { rush: RushHour; isAhead: boolean } {
  const earliest = Date.now() + earlyMs + 5_000; // what is ordered early must be there by then
  const rush = nextRushHour(new Date(earliest), leadMinutes, timeZone);
  const isAhead = rush.at.getTime() - Date.now() < mostSecondsToRush * 1_000;
  return { isAhead, rush: isAhead ? rush : nextRushHour(new Date(Date.now() - 60_000), leadMinutes, timeZone) };
}

async function equip(hired: HiredDriver, i: number, stage: Stage, day: Day): Promise<DriverAtWork> {
  const line = {
    urls: stage.urls,
    token: hired.token,
    first: i >> 1,
    patience: day.patience,
    eavesdropper: day.eavesdropper,
  };
  const phone = i % 2 === 0 ? phoneOverHttp(line) : await phoneOverSocket(line);
  return { ...hired, phone, offered: new Set(), accepted: new Set(), runs: [], delivered: 0 };
}

/** Everybody hears everything; the first has a second webhook for the end of things, and one that is switched off. */
async function subscribeAll({ merchants }: Day, { receiver }: Stage): Promise<void> {
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
