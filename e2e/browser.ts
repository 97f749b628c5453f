import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const EXECUTABLE = '/usr/bin/chromium'; // Debian's package

/** A browser with an empty profile that calls nobody. */
export function openBrowser(): Promise<Browser> {
  if (!existsSync(EXECUTABLE)) throw new Error('browser journeys need Debian’s chromium: apt-get install chromium');
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
  return chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox', '--disable-gpu', ...quiet] });
}
