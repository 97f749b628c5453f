import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';

// Debian's packages. The shell has no windows, and takes half of the processor time.
const SHELL = '/usr/bin/chromium-headless-shell';
const WHOLE = '/usr/bin/chromium';
// Draws WebGL, which the console's map needs, without a graphics card.
const SOFTWARE_WEBGL = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** A browser with an empty profile and without background requests. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch(launchOptions(SHELL, []));
}

/** The same with everything that a phone has: cameras, notifications, requests in the background. */
export function openWholeBrowser(more: string[] = []): Promise<Browser> {
  return chromium.launch(launchOptions(WHOLE, more));
}

/** A browser with one profile, stored in this folder: touched notifications are reported to such a profile only. */
export function openProfile(
  folder: string,
  { environment, ...options }: BrowserContextOptions & { environment: Record<string, string> },
): Promise<BrowserContext> {
  const env = { ...process.env, ...environment };
  return chromium.launchPersistentContext(folder, { ...launchOptions(WHOLE, []), ...options, env });
}

function launchOptions(executablePath: string, more: string[]) {
  if (!existsSync(executablePath)) throw new Error(`browser tests need Debian’s ${basename(executablePath)}`);
  return { executablePath, args: ['--no-sandbox', '--disable-gpu', ...SOFTWARE_WEBGL, ...QUIET, ...more] };
}
