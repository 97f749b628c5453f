import { randomUUID } from 'node:crypto';
import { openBrowser } from '../e2e/browser.ts';
import { openWindow } from '../e2e/window.ts';
import { openEngines } from '../server/src/cli/engines.ts';
import { readConfig } from '../server/src/config.ts';
import { createLog } from '../server/src/observability/create-log.ts';
import { createTestStaff, type TestStaff } from '../server/test/console.ts';
import { fillAccount } from './load/fill-account.ts';
import { at, timed } from './load/timing.ts';
import type { Merchant, Stack } from './stack.ts';

const REQUESTS = 200;
const ALLOWED_RATIO = 1.3;
const ALLOWED_P95_MS = 300;
const STAFF = 50; // dispatchers at the same time, who share the requests
const PREVIEWED = 10; // shipments
const DRIVERS_LISTED = 20;
const SCROLLED_ROWS = 5_000;
const PX_PER_FRAME = 240; // four rows: 240 rows a second

interface Side {
  stack: Stack;
  staff: TestStaff[];
  drivers: string[];
  shipments: string[];
}

interface Preview {
  rows: { shipment: { id: string; version: string } }[];
}

/**
 * Lists, preview and assignment of the dispatch board in a large company and in one of a hundredth of its size, in turn:
 * none may take longer in the large one. Then scrolls the list of the large one in a browser.
 */
export async function benchDispatchBoard(small: Stack, large: Stack, drivers: number, open: number): Promise<boolean> {
  const sides = [await fill(small, drivers / 100, open / 100), await fill(large, drivers, open)] as const;
  console.log(
    `\nThe dispatch board: ${drivers / 100} and ${drivers} drivers, ${open / 100} and ${open} open shipments, ${REQUESTS} of each in turn, p50 and p95`,
  );
  const works: Record<string, (side: Side, staff: TestStaff) => Promise<number>> = {
    unassigned: (_, staff) => timed(() => staff.call('listBoardShipments', { query: { list: 'unassigned' } })),
    'by slot': (_, staff) => timed(() => staff.call('listBoardShipments', { query: { list: 'slots' } })),
    // As many as the small company has: both pages are of the same size.
    drivers: (_, staff) => timed(() => staff.call('listBoardDrivers', { query: { limit: DRIVERS_LISTED } })),
    preview: async (side, staff) => timed(() => preview(side, staff, pick(side.drivers))),
    assign: assignOne,
  };
  let holds = true;
  for (const [name, work] of Object.entries(works)) {
    const times: [number[], number[]] = [[], []];
    for (let i = 0; i < REQUESTS; i++) {
      for (const [which, side] of sides.entries()) {
        times[which as 0 | 1].push(await work(side, side.staff[i % STAFF] as TestStaff));
      }
    }
    const [smallMs, largeMs] = times.map((list) => list.toSorted((a, b) => a - b)) as [number[], number[]];
    const ratio = at(largeMs, 0.5) / at(smallMs, 0.5);
    const isFine = ratio <= ALLOWED_RATIO && at(largeMs, 0.95) < ALLOWED_P95_MS;
    holds &&= isFine;
    console.log(
      `  ${name.padEnd(12)} ${both(smallMs)}, ${both(largeMs)}, ratio of p50 ${ratio.toFixed(2)}${isFine ? '' : '  TOO MUCH'}`,
    );
  }
  await scroll(sides[1]);
  return holds;
}

const both = (sorted: number[]) => `${at(sorted, 0.5).toFixed(1)} / ${at(sorted, 0.95).toFixed(1)} ms`;
const pick = (list: string[]) => list[Math.floor(Math.random() * list.length)] ?? '';

const preview = ({ shipments }: Side, staff: TestStaff, driverId: string) => {
  const shipmentIds = [...new Set(Array.from({ length: PREVIEWED }, () => pick(shipments)))];
  return staff.call('previewAssignments', { body: { driverId, shipmentIds } });
};

/** Only the assignment is timed. It moves a parcel from a driver as often as it gives one to a first driver. */
async function assignOne(side: Side, staff: TestStaff): Promise<number> {
  const driverId = pick(side.drivers);
  const { rows } = (await preview(side, staff, driverId)).body as Preview;
  const [first] = rows.map(({ shipment: { id, version } }) => ({ shipmentId: id, version }));
  const body = { commandId: randomUUID(), driverId, rows: [first] };
  return timed(() => staff.call('assignShipments', { body }));
}

/** Open shipments: half of them with a slot, a fifth assigned. */
async function fill(stack: Stack, drivers: number, open: number): Promise<Side> {
  const merchant = stack.merchants[0] as Merchant;
  await fillAccount(stack, merchant, open);
  await stack.sql(
    `insert into drivers (id, first_name, last_name, phone_number, available)
     select gen_random_uuid(), 'Prénom ' || md5(n::text), 'Nom', '+33611111111', n % 3 > 0 from generate_series(1, ${drivers}) n`,
  );
  await stack.sql(
    `with d as (select array_agg(id) as ids from drivers)
     update shipments s set
       status = case when number % 5 = 0 then 'assigned' else 'created' end,
       driver_id = case when number % 5 = 0 then ids[1 + number % array_length(ids, 1)] end,
       slot_starts_at = case when number % 2 = 0 then now() + number % 40 * interval '1 hour' end,
       estimated_delivery_at = now() + (2 + number % 40) * interval '1 hour', time_slot = '10h-12h'
     from d`,
  );
  await stack.sql('update account_counters set created = last_shipment, assigned = last_shipment');
  await stack.sql('vacuum analyze');
  const { rows: driverRows } = await stack.sql('select id from drivers');
  const { rows: shipmentRows } = await stack.sql('select id from shipments');
  const engines = openEngines(readConfig({ ...process.env, ...stack.environment }), createLog('warn'));
  const staff: TestStaff[] = [];
  while (staff.length < STAFF) staff.push(await createTestStaff({ db: engines.db, url: stack.url }, 'dispatcher'));
  await engines.close();
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
  const side = { stack, staff, drivers: ids(driverRows), shipments: ids(shipmentRows) };
  for (const one of staff.slice(0, 20)) await assignOne(side, one); // warm up
  return side;
}

/** Scrolls through the list while it is read page by page, and prints the times between frames. */
async function scroll({ stack, staff }: Side): Promise<void> {
  const browser = await openBrowser();
  const { page } = await openWindow(browser, `${stack.url}/console/dispatch`, staff[0] as TestStaff);
  await page.getByRole('row').first().waitFor();
  const frames = (await page.evaluate(
    `(async () => {
      const box = document.getElementById('board-shipments');
      const times = [];
      const place = () => Math.max(0, ...[...box.querySelectorAll('[aria-rowindex]')].map((row) => Number(row.ariaRowIndex)));
      let last = await new Promise(requestAnimationFrame);
      while (place() < ${SCROLLED_ROWS}) {
        box.scrollTop += ${PX_PER_FRAME};
        const now = await new Promise(requestAnimationFrame);
        times.push(now - last);
        last = now;
      }
      return times;
    })()`,
  )) as number[];
  const drawn = await page.getByRole('row').count();
  await browser.close();
  const sorted = frames.toSorted((a, b) => a - b);
  console.log(
    `  scrolling ${SCROLLED_ROWS} rows: ${sorted.length} frames, p50 ${at(sorted, 0.5).toFixed(1)} ms, p95 ${at(sorted, 0.95).toFixed(1)} ms, ${drawn} rows in the document`,
  );
}
