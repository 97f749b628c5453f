import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Load, measureLoad } from '../measure-load.ts';
import { settle } from './pages.ts';
import { openStage, type Stage } from './stage.ts';
import { createWorld, type World } from './world.ts';

const MOST_BYTES = 300 * 1024;
const MOST_REQUESTS = 20;
const MOST_SHIFT = 0.05; // above 0.1 counts as a poor layout shift score

let stage: Stage;
let world: World;
beforeAll(async () => {
  stage = await openStage();
  world = await createWorld(stage);
});
afterAll(() => stage?.stop());

/** With an empty cache. */
async function load(path: string, signedIn: boolean): Promise<Load> {
  const { page, close } = await stage.open(path, signedIn ? world.owner : null);
  await settle(page, { name: path, path: () => path });
  const loaded = await measureLoad(page);
  await close();
  return loaded;
}

describe('the first load', () => {
  test.each([
    ['sign-in', '/sign-in', false],
    ['overview', '/', true],
    ['list of shipments', '/shipments', true],
  ])('of the %s stays below 300 kB and a few requests, without layout shift', async (_name, path, signedIn) => {
    const { bytes, requests, shift } = await load(path, signedIn);
    expect(bytes).toBeGreaterThan(50 * 1024); // the measurement works
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
    expect(requests).toBeLessThanOrEqual(MOST_REQUESTS);
    expect(shift).toBeLessThanOrEqual(MOST_SHIFT);
  });

  test('sends no request to another host, and a second visit loads no file again', async () => {
    const { page, seen, close } = await stage.open('/', world.owner);
    await settle(page, { name: 'overview', path: () => '/' });
    expect(seen.requests.filter((url) => !url.startsWith(stage.server.url))).toEqual([]);
    await page.reload();
    await settle(page, { name: 'overview', path: () => '/' });
    const again = await page.evaluate(
      `performance.getEntriesByType('resource').filter(({ name, transferSize }) => name.includes('/assets/') && transferSize > 0).map(({ name }) => name)`,
    );
    expect(again).toEqual([]);
    expect(seen.complaints).toEqual([]);
    await close();
  });
});
