import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../test-server.ts';
import { timeLimitMs } from '../time-limit.ts';
import { fittingBodies, pathWith, withEachTextReplaced } from './generate.ts';
import { describeOperation, type Operation, readOperations } from './operations.ts';
import { createTenant, credentialsOf, startAttackedServer, type Tenant } from './tenant.ts';
import { freshAddress, sendRaw } from './wire.ts';

let server: TestServer;
let tenant: Tenant;
let operations: Operation[];
beforeAll(async () => {
  server = await startAttackedServer();
  tenant = await createTenant(server, 'tenant');
  operations = await readOperations(server.url);
});
afterAll(() => server.stop());

/** Shapes on which a pattern that tries again from every character takes the square of the length, or worse. */
const SHAPES = [
  ' ',
  '\t',
  'a',
  'a@',
  '@',
  '.',
  'a.',
  '-',
  '0',
  '1h',
  '14h-',
  '+',
  '(',
  ',',
  '"',
  '\u0301',
  '\ud83d\udc4d',
  'é ',
];
const LENGTH = 200_000;
const SHORT = 2_000;
const QUADRATIC = 20; // a linear cost grows by at most a hundred; its square by ten thousand
const NOISE_MS = timeLimitMs(400); // added to any request by a busy machine

async function send(operation: Operation, body: unknown, i: number): Promise<number> {
  const headers = { ...credentialsOf(tenant, operation.api, i), ...freshAddress() };
  const path = pathWith(operation, '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60');
  const began = performance.now();
  await sendRaw(server.url, { method: operation.method, path, headers, body: JSON.stringify(body) });
  return performance.now() - began;
}

test('no text of any body makes a request take the square of its length', async () => {
  const faults: string[] = [];
  let attacks = 0;
  for (const operation of operations.filter(({ body }) => body)) {
    const [fitting] = fittingBodies(operation, 1);
    for (const shape of SHAPES) {
      const textOf = (length: number) => shape.repeat(Math.ceil(length / shape.length));
      // All texts of the body at once, so that the number of requests stays within reason.
      const bodyOf = (length: number) =>
        replaceTexts(fitting, textOf(length / Math.max(1, withEachTextReplaced(fitting, '').length)));
      attacks++;
      const long = await send(operation, bodyOf(LENGTH), attacks);
      if (long < NOISE_MS) continue;
      const short = await send(operation, bodyOf(SHORT), attacks);
      const again = Math.min(long, await send(operation, bodyOf(LENGTH), attacks));
      if (again > NOISE_MS + QUADRATIC * short)
        faults.push(
          `${describeOperation(operation)} ${JSON.stringify(shape)}: ${short.toFixed()} → ${again.toFixed()} ms`,
        );
    }
  }
  expect(faults).toEqual([]);
  expect(attacks).toBeGreaterThan(300);
});

function replaceTexts(value: unknown, text: string): unknown {
  if (typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((item) => replaceTexts(item, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaceTexts(inner, text)]));
}
