import type { BrowserContextOptions } from 'playwright-core';
import type { TestStaff } from '../../server/test/console.ts';
import { openStage, type Stage } from '../dashboard/stage.ts';
import { openWindow, type Tab } from '../window.ts';

/** The whole service, with windows at the console. */
export interface ConsoleStage extends Omit<Stage, 'open' | 'member'> {
  /** A new browser window at a path below /console, signed in as the staff member, or as nobody. */
  open: (path: string, staff?: TestStaff | null, options?: BrowserContextOptions) => Promise<Tab>;
}

export async function openConsoleStage(settings: Record<string, string> = {}): Promise<ConsoleStage> {
  const stage = await openStage(settings);
  return {
    ...stage,
    open: (path, staff = null, options = {}) =>
      openWindow(stage.browser, `${stage.server.url}/console${path}`, staff, options),
  };
}
