import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFailureLog } from './failure-log.ts';

let lines: { reqId: number; repeated?: number; msg: string }[];
let report: ReturnType<typeof createFailureLog>;
beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  const sink = { write: (line: string) => void lines.push(JSON.parse(line)) };
  report = createFailureLog(pino({ level: 'info' }, sink));
});
afterEach(() => void vi.useRealTimers());

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

test('of 3,000 equal failures in three seconds, one line per second is written, and all are counted', () => {
  for (let reqId = 0; reqId < 3_000; reqId++) {
    report(refused(), { reqId }, 'request failed');
    vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(5_000);
  expect(lines.map(({ reqId }) => reqId)).toHaveLength(4);
  expect(lines.reduce((sum, { repeated = 1 }) => sum + repeated, 0)).toBe(3_000);
  report(refused(), { reqId: 3_000 }, 'request failed');
  expect(lines.at(-1)).toMatchObject({ reqId: 3_000, msg: 'request failed' });
});

test('a different failure is logged at once, until there are too many kinds', () => {
  report(refused(), { reqId: 1 }, 'request failed');
  report(new TypeError('a defect'), { reqId: 2 }, 'request failed');
  report(refused(), { reqId: 3 }, 'job failed');
  expect(lines.map(({ reqId }) => reqId)).toEqual([1, 2, 3]);
  for (let reqId = 0; reqId < 10_000; reqId++) report(new Error(`number ${reqId}`), { reqId }, 'request failed');
  expect(lines.length).toBeLessThan(110);
});
