import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { BASE_PATH } from '@navette/contract';
import { create } from 'fontkit';
import PDFDocument from 'pdfkit';
import { drawLabels } from '../server/src/features/labels/draw-labels.ts';
import type { Label } from '../server/src/features/labels/label.ts';
import { withCodes } from '../server/src/features/labels/page/codes.ts';
import { drawLabel } from '../server/src/features/labels/page/draw-label.ts';
import { PAGE } from '../server/src/features/labels/page/page-size.ts';
import { createSheet, points } from '../server/src/pdf/sheet.ts';
import { label } from '../server/test/label-samples.ts';
import { fillAccount } from './load/fill-account.ts';
import { compare, type LoadResult } from './load/tools.ts';
import type { Merchant, Stack } from './stack.ts';

type Document = InstanceType<typeof PDFDocument>;
type Step = [method: string, values: unknown[]];

const NAMES = ['Camille Durand', 'Zoé Lefèvre-Martin', 'Łukasz Żółkiewski', 'Αλέξανδρος Ωνάσης', 'Владимир Щербаков'];
const STREETS = [
  '8 avenue de l’Opéra',
  '127 bis boulevard Saint-Germain, bâtiment C',
  '3 quai de la Gare',
  '44 rue d’Ulm',
];
const REFERENCES = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Labels of a realistic day: names and streets repeat, references do not. */
const sample = (n: number): Label =>
  label({
    referenceNumber: Array.from({ length: 10 }, (_, i) => REFERENCES[(n * (7 + i * i) + i) % REFERENCES.length]).join(
      '',
    ),
    recipient: {
      ...label().recipient,
      name: `${NAMES[n % NAMES.length]} ${n % 100}`,
      street: STREETS[n % STREETS.length] as string,
    },
  });

/** Labels drawn by this process, single or together, compared with the same calls of pdfkit alone. */
export async function benchDrawing(seconds: number, rounds: number): Promise<void> {
  for (const pages of [1, 100]) {
    const labels = Array.from({ length: 200 }, (_, n) => sample(n));
    const steps = labels.map(stepsOf);
    await compare(
      `labels, ${pages === 1 ? 'a file each' : `${pages} to a file`}, on one core, beside pdfkit drawing the same pages bare`,
      { name: 'pdfkit', run: () => filesPerSecond(pages, seconds, (first) => drawBare(steps, first, pages)) },
      { name: 'labels', run: () => filesPerSecond(pages, seconds, (first) => drawOurs(labels, first, pages)) },
      rounds,
    );
  }
}

async function filesPerSecond(
  pages: number,
  seconds: number,
  draw: (first: number) => Promise<number>,
): Promise<LoadResult> {
  const times: number[] = [];
  const started = performance.now();
  const cpu = process.cpuUsage();
  while (performance.now() - started < seconds * 1000) {
    const from = performance.now();
    await draw(times.length * pages);
    times.push(performance.now() - from);
  }
  const { user, system } = process.cpuUsage(cpu);
  times.sort((a, b) => a - b);
  return {
    perSecond: (times.length * pages * 1e6) / (user + system), // per core, independent of other programs
    p50Ms: times[Math.floor(times.length / 2)] ?? 0,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? 0,
    failures: 0,
  };
}

async function drawOurs(labels: Label[], first: number, pages: number): Promise<number> {
  let bytes = 0;
  const wanted = Array.from({ length: pages }, (_, i) => labels[(first + i) % labels.length] as Label);
  for await (const chunk of drawLabels(wanted)) bytes += chunk.length;
  return bytes;
}

/** Records the calls of pdfkit that draw a label. */
function stepsOf(one: Label): Step[] {
  const steps: Step[] = [];
  const recorder: Document = new Proxy({} as Document, {
    get:
      (_target, method: string) =>
      (...values: unknown[]) => {
        if (method !== 'registerFont') steps.push([method, values]);
        return recorder;
      },
  });
  drawLabel(withCodes(createSheet(recorder)), one);
  return steps;
}

const require = createRequire(import.meta.url);
const open = (file: string) => create(readFileSync(file));
const FONTS = {
  regular: open(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf')), // parsed once: reading them each time is ten times slower
  bold: open(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf')),
};

async function drawBare(steps: Step[][], first: number, pages: number): Promise<number> {
  const document = new PDFDocument({
    size: [points(PAGE.width), points(PAGE.height)],
    margin: 0,
    autoFirstPage: false,
  });
  for (const [name, font] of Object.entries(FONTS)) document.registerFont(name, font as never);
  for (let i = 0; i < pages; i++) {
    document.addPage();
    for (const [method, values] of steps[(first + i) % steps.length] as Step[]) {
      (document as unknown as Record<string, (...values: unknown[]) => unknown>)[method]?.(...values);
    }
  }
  document.end();
  let bytes = 0;
  for await (const chunk of document) bytes += (chunk as Buffer).length;
  return bytes;
}

/** GET /shipping/:id alone, then while the same process exports a thousand labels again and again. */
export async function benchReadsBesideExports(stack: Stack, merchant: Merchant, seconds: number): Promise<number> {
  await fillAccount(stack, merchant, 1_000);
  const { rows } = await stack.sql('select id from shipments where account_id = $1', [merchant.id]);
  const ids = rows.map(({ id }) => id as string);
  const headers = { authorization: `Bearer ${merchant.key}`, 'x-client-id': merchant.clientId };
  const read = async () => {
    const started = performance.now();
    const id = ids[Math.floor(Math.random() * ids.length)];
    await (await fetch(`${stack.url}${BASE_PATH}/shipping/${id}`, { headers })).arrayBuffer();
    return performance.now() - started;
  };
  const exportAll = async () => {
    const answer = await fetch(`${stack.url}${BASE_PATH}/shipping/pdf/export`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ scope: 'selected', shippingIds: ids }),
    });
    if (answer.status !== 200) throw new Error(`the export answered ${answer.status}`);
    return (await answer.arrayBuffer()).byteLength;
  };
  const p99During = async () => {
    const times: number[] = [];
    const until = performance.now() + seconds * 1000;
    while (performance.now() < until) times.push(await read());
    return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
  };

  await exportAll(); // the thread is started
  const alone = await p99During();
  const state = { exporting: true };
  let exports = 0;
  const exporting = (async () => {
    for (; state.exporting; exports++) await exportAll();
  })();
  const beside = await p99During();
  state.exporting = false;
  await exporting;
  console.log(`\nGET /shipping/:id while the same process exports labels, 1,000 to a file`);
  console.log(`  p99 alone ${alone.toFixed(1)} ms, beside ${exports} exports ${beside.toFixed(1)} ms`);
  return beside - alone;
}
