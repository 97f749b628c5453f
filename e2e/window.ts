import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** Requests of a tab, and its console errors, warnings and CSP violations. */
export interface Seen {
  requests: string[];
  complaints: string[];
}

export interface Tab {
  page: Page;
  seen: Seen;
  close: () => Promise<void>;
}

/** A new browser window with an empty profile, signed in by the cookie of a session, or as nobody. */
export async function openWindow(
  browser: Browser,
  url: string,
  session: { cookie: string } | null,
  options: BrowserContextOptions = {},
): Promise<Tab> {
  const context = await browser.newContext({ viewport: DESKTOP, locale: 'fr-FR', reducedMotion: 'reduce', ...options });
  if (session) await context.addCookies([asCookie(session)]);
  const page = await context.newPage();
  page.setDefaultTimeout(240_000); // below the test timeout, so that a failure names its line
  const seen = watch(page);
  await page.goto(url);
  return { page, seen, close: () => context.close() };
}

function asCookie({ cookie }: { cookie: string }) {
  const [name = '', value = ''] = cookie.split('=', 2);
  // Secure over plain HTTP: browsers trust loopback.
  return { name, value, url: 'https://127.0.0.1/', secure: true, httpOnly: true, sameSite: 'Lax' as const };
}

function watch(page: Page): Seen {
  const seen: Seen = { requests: [], complaints: [] };
  page.on('request', (request) => seen.requests.push(request.url()));
  page.on('pageerror', (error) => seen.complaints.push(error.message));
  page.on('console', (message) => {
    const isOfRenderer = message.text().startsWith('[.WebGL-'); // a software renderer reports that it is slow
    if (isOfRenderer) return;
    if (message.type() === 'error' || message.type() === 'warning') seen.complaints.push(message.text());
  });
  return seen;
}

/** The input of that label, and not the button beside it that shows the password. */
export const field = (within: Page | Locator, label: string | RegExp): Locator =>
  within.getByLabel(label).and(within.locator('input'));
