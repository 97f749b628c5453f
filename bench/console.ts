import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { openBrowser } from '../e2e/browser.ts';
import { openWindow } from '../e2e/window.ts';
import { openEngines } from '../server/src/cli/engines.ts';
import { readConfig } from '../server/src/config.ts';
import { rebuildAllSearchKeys } from '../server/src/features/shipment-desk/index.ts';
import { createLog } from '../server/src/observability/create-log.ts';
import { createTestStaff, type TestStaff } from '../server/test/console.ts';
import { openMap } from '../server/test/console-map.ts';
import { crowd } from '../server/test/crowd.ts';
import { createTestDriver, overHttp, type TestDriver } from '../server/test/driver-app.ts';
import { compareSides } from './load/compare-sides.ts';
import { fillAccount } from './load/fill-account.ts';
import { at, timed } from './load/timing.ts';
import { residentMb } from './load/tools.ts';
import type { Merchant, Stack } from './stack.ts';

const REQUESTS = 100;
const STAFF = 50; // who share the requests
const PREVIEWED = 10; // shipments
const DRIVERS_LISTED = 20;
const POSITION_EVERY_MS = 15_000; // the app: 5 s while moving, 45 s while standing
const INBOX_EVERY_MS = 5_000; // as the app does
const SCROLLED_ROWS = 5_000;
const PX_PER_FRAME = 240; // four rows: 240 rows a second
const SMOOTH_P95_MS = 34; // thirty frames a second
const ALLOWED_GROWTH_MB = 300;
const PARIS = { west: 2.2, south: 48.8, east: 2.5, north: 48.95 };
const QUARTER = { west: 2.195, south: 48.8, east: 2.205, north: 48.805 }; // where both companies have a driver

/** Of the large company; the small one is a hundredth of it. */
export interface ConsoleSize {
  drivers: number;
  open: number;
  inbox: number;
  consoles: number;
}

interface Side {
  stack: Stack;
  staff: TestStaff[];
  drivers: TestDriver[];
  shipments: string[];
  accountId: string;
}

interface Preview {
  rows: { shipment: { id: string; version: string } }[];
}

type Call = (side: Side, staff: TestStaff) => Promise<{ status: number }>;

/** The requests of every page. Those of the figures have a scenario of their own. */
const PAGES: Record<string, Call> = {
  session: (_, staff) => staff.call('readSession'),
  inbox: (_, staff) => staff.call('listInbox'),
  // As many entries as the small company has: the cost of the list without that of its length.
  'inbox, two entries': (_, staff) => staff.call('listInbox', { query: { limit: 2 } }),
  'inbox, after an act': (_, staff) => staff.call('listInbox', { query: { fresh: true } }),
  'board: unassigned': (_, staff) => staff.call('listBoardShipments', { query: { list: 'unassigned' } }),
  'board: by slot': (_, staff) => staff.call('listBoardShipments', { query: { list: 'slots' } }),
  // As many as the small company has: both pages are of the same size.
  'board: drivers': (_, staff) => staff.call('listBoardDrivers', { query: { limit: DRIVERS_LISTED } }),
  'board: preview of ten': (side, staff) => preview(side, staff, pick(side.drivers).id),
  'drivers for a shipment': ({ shipments }, staff) =>
    staff.call('listAssignableDrivers', { params: { id: pick(shipments) } }),
  'map: settings': (_, staff) => staff.call('readMapSettings'),
  'map: towns': (_, staff) => staff.call('listMapTowns', { query: PARIS }),
  'map: drivers, whole city': (_, staff) => staff.call('listMapDrivers', { query: PARIS }),
  'map: drivers, a quarter': (_, staff) => staff.call('listMapDrivers', { query: QUARTER }),
  'map: stops, whole city': (_, staff) => staff.call('listMapStops', { query: PARIS }),
  'map: stops, a quarter': (_, staff) => staff.call('listMapStops', { query: QUARTER }),
  'map: zones': (_, staff) => staff.call('listZones'),
  shipment: ({ shipments }, staff) => staff.call('readShipmentPage', { params: { id: pick(shipments) } }),
  merchant: ({ accountId }, staff) => staff.call('readMerchantPage', { params: { id: accountId } }),
  driver: ({ drivers }, staff) => staff.call('readDriverPage', { params: { id: pick(drivers).id } }),
  'search: name': (_, staff) => staff.call('searchConsole', { body: { text: 'camille' } }),
  'search: town': (_, staff) => staff.call('searchConsole', { body: { text: 'paris' } }),
  'search: driver': (_, staff) => staff.call('searchConsole', { body: { text: 'leroy' } }),
  merchants: (_, staff) => staff.call('listMerchants'),
  drivers: (_, staff) => staff.call('listDrivers'),
  approvals: (_, staff) => staff.call('listApprovals'),
  staff: (_, staff) => staff.call('listStaff'),
  'log of acts': (_, staff) => staff.call('listOperatorActs'),
};

/**
 * Every page of the console in a large company and in one of a hundredth of its size, in turn, while drivers send their
 * positions and consoles are connected: none may take longer in the large one. Then scrolls the list of the large one in a
 * browser.
 */
export async function benchConsole(small: Stack, large: Stack, size: ConsoleSize): Promise<boolean> {
  const hundredth = (count: number) => Math.max(1, Math.round(count / 100));
  const few = {
    drivers: hundredth(size.drivers),
    open: hundredth(size.open),
    inbox: hundredth(size.inbox),
    consoles: hundredth(size.consoles),
  };
  const sides = [await fill(small, few), await fill(large, size)] as const;
  for (const side of sides) for (const staff of side.staff.slice(0, 20)) await assignOne(side, staff); // warm up
  const before = residentMb(large.pid);
  const end = new AbortController();
  const living = [live(sides[0], few, end.signal), live(sides[1], size, end.signal)];
  const memory = watchMemory(large.pid);
  await setTimeout(POSITION_EVERY_MS * 1.5); // every driver has sent a position
  const words = ({ drivers, open, inbox, consoles }: ConsoleSize) =>
    `${drivers} drivers, ${open} open shipments, ${inbox} entries in the inbox, ${consoles} connected`;
  console.log(`\nThe console: ${words(few)}; ${words(size)}; ${REQUESTS} of each in turn, p50 / p95`);
  let holds = true;
  for (const [name, call] of Object.entries(PAGES)) {
    const work = (side: Side, nth: number) => timed(() => call(side, nthStaff(side, nth)));
    holds = (await compareSides(sides, name, REQUESTS, work)) && holds;
  }
  const assign = (side: Side, nth: number) => assignOne(side, nthStaff(side, nth));
  holds = (await compareSides(sides, 'board: assign', REQUESTS, assign)) && holds;
  end.abort();
  const positions = await Promise.all(living);
  const growth = memory.stop() - before;
  console.log(
    `  memory of the large api: ${before.toFixed(0)} MB before, ${growth.toFixed(0)} MB more at most; ${positions[1]?.kept} positions received, ${positions[1]?.refused} refused`,
  );
  holds = (await scroll(sides[1])) && holds; // a dispatcher's computer does not carry the company's load
  return holds && growth <= ALLOWED_GROWTH_MB;
}

const nthStaff = ({ staff }: Side, nth: number) => staff[nth % STAFF] as TestStaff;

function watchMemory(pid: number) {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, residentMb(pid));
  }, 250);
  return {
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}

/** Drivers who send positions, and consoles with the map open that read the inbox. Counts the positions. */
async function live({ stack, staff, drivers }: Side, { consoles }: ConsoleSize, signal: AbortSignal) {
  const positions = { kept: 0, refused: 0 };
  const pause = (ms: number) => setTimeout(ms, undefined, { signal }).catch(() => {});
  const drive = async (driver: TestDriver, nth: number) => {
    await pause((POSITION_EVERY_MS * nth) / drivers.length); // not all at once
    for (let step = 0; !signal.aborted; step++) {
      const place = placeOf(nth, step);
      const { status } = await overHttp(stack.url, driver)('sendPosition', place);
      if (status === 200) positions.kept++;
      else positions.refused++; // the app sends the next one
      await pause(POSITION_EVERY_MS);
    }
  };
  const look = async (person: TestStaff, nth: number) => {
    await pause((INBOX_EVERY_MS * nth) / consoles);
    const map = await openMap(stack.url, { cookie: person.cookie }, PARIS);
    while (!signal.aborted) {
      await timed(() => person.call('listInbox'));
      await pause(INBOX_EVERY_MS);
    }
    map.close();
  };
  await Promise.all([...drivers.map(drive), ...staff.slice(0, consoles).map(look)]);
  return positions;
}

/** Spread over the city, and moving. */
const placeOf = (nth: number, step: number) => ({
  latitude: PARIS.south + ((nth * 7) % 1_000) * 0.00014 + (step % 10) * 0.0002,
  longitude: PARIS.west + ((nth * 13) % 1_000) * 0.00028,
});

const pick = <Item>(list: Item[]) => list[Math.floor(Math.random() * list.length)] as Item;

const preview = ({ shipments }: Side, staff: TestStaff, driverId: string) => {
  const shipmentIds = [...new Set(Array.from({ length: PREVIEWED }, () => pick(shipments)))];
  return staff.call('previewAssignments', { body: { driverId, shipmentIds } });
};

/** Only the assignment is timed. It moves a parcel from a driver as often as it gives one to a first driver. */
async function assignOne(side: Side, staff: TestStaff): Promise<number> {
  const { id: driverId } = pick(side.drivers);
  const { rows } = (await preview(side, staff, driverId)).body as Preview;
  const [first] = rows.map(({ shipment: { id, version } }) => ({ shipmentId: id, version }));
  const body = { commandId: randomUUID(), driverId, rows: [first] };
  return timed(() => staff.call('assignShipments', { body }));
}

/** Open shipments all over the city: half of them with a slot, a fifth assigned, some late, which the inbox lists. */
async function fill(stack: Stack, { drivers: driverCount, open, inbox }: ConsoleSize): Promise<Side> {
  const merchant = stack.merchants[0] as Merchant;
  await fillAccount(stack, merchant, open);
  const engines = openEngines(readConfig({ ...process.env, ...stack.environment }), createLog('warn'));
  const drivers = await crowd(8, Array.from({ length: driverCount }), () => createTestDriver(engines.db));
  await stack.sql(
    `with d as (select array_agg(id) as ids from drivers)
     update shipments s set
       status = case when number % 5 = 0 then 'assigned' else 'created' end,
       driver_id = case when number % 5 = 0 then ids[1 + number % array_length(ids, 1)] end,
       slot_starts_at = case when number <= ${inbox} then now() - interval '3 hours'
         when number % 2 = 0 then now() + (1 + number % 40) * interval '1 hour' end,
       estimated_delivery_at = case when number <= ${inbox} then now() - interval '1 hour'
         else now() + (2 + number % 40) * interval '1 hour' end,
       time_slot = '10h-12h', picked_up_at = null, delivered_at = null, cancelled_at = null,
       delivery_address = jsonb_set(delivery_address::jsonb, '{coordinates}', jsonb_build_object(
         'latitude', ${PARIS.south} + random() * 0.15, 'longitude', ${PARIS.west} + random() * 0.3))::json
     from d`,
  );
  await stack.sql('update account_counters set created = last_shipment, assigned = last_shipment');
  const { rows } = await stack.sql('select id from shipments');
  const shipments = rows.map(({ id }: { id: string }) => id);
  await rebuildAllSearchKeys(engines.db);
  await stack.sql('vacuum analyze');
  const staff: TestStaff[] = [];
  while (staff.length < STAFF) staff.push(await createTestStaff({ db: engines.db, url: stack.url }, 'admin'));
  await engines.close();
  return { stack, staff, drivers, shipments, accountId: merchant.id };
}

/**
 * Scrolls through the list while it is read page by page, and then through as many rows of plain text, which is the least that
 * this browser needs for a frame. Prints the times between frames. Returns whether the list is smooth.
 */
async function scroll({ stack, staff }: Side): Promise<boolean> {
  const browser = await openBrowser();
  const { page } = await openWindow(browser, `${stack.url}/console/dispatch`, staff[0] as TestStaff);
  await page.getByRole('row').first().waitFor();
  const frames = await scrollBox(page, 'board-shipments');
  const drawn = await page.getByRole('row').count();
  const other = await browser.newPage();
  const rows = Array.from(
    { length: SCROLLED_ROWS },
    (_, i) => `<div class="row" aria-rowindex="${i + 1}">${i + 1}</div>`,
  );
  await other.setContent(
    `<style>#plain { height: 800px; overflow: auto } .row { height: 60px }</style><div id="plain">${rows.join('')}</div>`,
  );
  const plain = await scrollBox(other, 'plain');
  await browser.close();
  for (const [name, sorted] of [
    [`scrolling ${SCROLLED_ROWS} rows, ${drawn} in the document`, frames],
    [`scrolling ${SCROLLED_ROWS} rows of plain text`, plain],
  ] as const)
    console.log(
      `  ${name}: ${sorted.length} frames, p50 ${at(sorted, 0.5).toFixed(1)} ms, p95 ${at(sorted, 0.95).toFixed(1)} ms, most ${sorted.at(-1)?.toFixed(0)} ms`,
    );
  return at(frames, 0.95) <= SMOOTH_P95_MS;
}

/** The times between frames, shortest first. */
async function scrollBox(page: Page, id: string): Promise<number[]> {
  const frames = (await page.evaluate(
    `(async () => {
      const box = document.getElementById('${id}');
      const times = [];
      const bottom = () => box.getBoundingClientRect().bottom;
      const place = () => Math.max(0, ...[...box.querySelectorAll('[aria-rowindex]')]
        .filter((row) => row.getBoundingClientRect().top < bottom()).map((row) => Number(row.ariaRowIndex)));
      let last = await new Promise(requestAnimationFrame);
      for (let nth = 0; nth % 20 > 0 || place() < ${SCROLLED_ROWS}; nth++) {
        box.scrollTop += ${PX_PER_FRAME};
        const now = await new Promise(requestAnimationFrame);
        times.push(now - last);
        last = now;
      }
      return times;
    })()`,
  )) as number[];
  return frames.toSorted((a, b) => a - b);
}
