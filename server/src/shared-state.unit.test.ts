import { REQUEST_LOG } from '@navette/contract';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readRequests } from './features/requests/index.ts';
import { createMemoryState } from './shared-state.ts';

const entry = (requestId: string) =>
  JSON.stringify([Date.now(), requestId, 'GET', '/account', null, 200, null, [], 1, 'key']);

test('in memory, the request log has pages, newest first, each request once, and keeps the latest thousand', async () => {
  const { requestLog } = createMemoryState();
  const ids = Array.from({ length: REQUEST_LOG.most + 5 }, (_, i) => `request-${i}`);
  await requestLog.append('one', ids.map(entry));
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await readRequests(requestLog, 'one', cursor ? { cursor } : {}, new Date());
    seen.push(...page.entries.map(({ requestId }) => requestId));
    cursor = page.nextCursor;
  }
  expect(seen).toEqual(ids.slice(5).toReversed());
  expect(await requestLog.readSince('one', new Date(Date.now() + 60_000))).toEqual([]);
  expect(await requestLog.readSince('another', new Date(0))).toEqual([]);
});

test('in memory, limits count each account by itself, and a cleared state has forgotten everything', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-31T12:00:00Z') }); // or the minute could end in between
  onTestFinished(() => void vi.useRealTimers());
  const state = createMemoryState();
  const limits = { minute: 2, hour: 100, day: 100 };
  const take = async (account: string) => (await state.rateLimiter.take(account, limits)).exhausted;
  const driver = { driverId: 'x', available: true, isRobot: false };
  await state.positions.save(driver, { latitude: 48, longitude: 2, at: new Date() });
  await state.requestLog.append('one', [entry('request')]);
  await state.requestLog.noteFailed([{ requestId: 'request', accountId: 'one' }]);
  expect(await state.requestLog.findAnyAccount('request')).toBe('one');
  const verdicts = [await take('one'), await take('one'), await take('one'), await take('two')];
  expect(verdicts).toEqual([null, null, 'minute', null]);
  state.clear();
  expect(await take('one')).toBe(null);
  expect(await state.positions.find('x')).toBe(null);
  expect(await state.requestLog.readSince('one', new Date(0))).toEqual([]);
  expect(await state.requestLog.findAnyAccount('request')).toBe(null);
});
