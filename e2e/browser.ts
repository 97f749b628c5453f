import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';

const EXECUTABLE = '/usr/bin/chromium'; // Debian's package
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** A browser with an empty profile and without background requests. */
export function openBrowser(more: string[] = []): Promise<Browser> {
  return chromium.launch(launchOptions(more));
}

/** A browser with one profile, stored in this folder: touched notifications are reported to such a profile only. */
export function openProfile(
  folder: string,
  { environment, ...options }: BrowserContextOptions & { environment: Record<string, string> },
): Promise<BrowserContext> {
  const env = { ...process.env, ...environment };
  return chromium.launchPersistentContext(folder, { ...launchOptions([]), ...options, env });
}

function launchOptions(more: string[]) {
  if (!existsSync(EXECUTABLE)) throw new Error('browser journeys need Debian’s chromium: apt-get install chromium');
  return { executablePath: EXECUTABLE, args: ['--no-sandbox', '--disable-gpu', ...QUIET, ...more] };
}
