import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { measureLoad } from '../measure-load.ts';
import { mockInbox } from './mock-inbox.ts';
import { type ConsolePage, type ConsoleWorld, createConsoleWorld, settle } from './pages.ts';
import { type ConsoleStage, openConsoleStage } from './stage.ts';

const MOST_BYTES = 300 * 1024;
const MOST_REQUESTS = 20;
const MOST_SHIFT = 0.05; // above 0.1 counts as a poor layout shift score

let stage: ConsoleStage;
let world: ConsoleWorld;
beforeAll(async () => {
  stage = await openConsoleStage();
  world = await createConsoleWorld(stage);
});
afterAll(() => stage?.stop());

describe('the first load', () => {
  test.each<ConsolePage>([
    { name: 'sign-in', path: () => '/sign-in', as: () => null },
    { name: 'inbox', path: () => '/', mock: mockInbox },
    { name: 'staff', path: () => '/staff' },
  ])('of the $name page stays below 300 kB and a few requests, without layout shift', async (entry) => {
    const staff = entry.as ? entry.as(world) : world.staff.admin;
    const { page, seen, close } = await stage.open('/api/none', staff); // a page without files, in an empty profile
    await entry.mock?.(page);
    await page.goto(`${stage.server.url}/console${await entry.path(world)}`);
    await settle(page, entry, undefined);
    const { bytes, requests, shift } = await measureLoad(page);
    expect(bytes).toBeGreaterThan(50 * 1024); // the measurement works
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
    expect(requests).toBeLessThanOrEqual(MOST_REQUESTS);
    expect(shift).toBeLessThanOrEqual(MOST_SHIFT);
    expect(seen.requests.filter((url) => !url.startsWith(stage.server.url))).toEqual([]);
    await close();
  });
});
