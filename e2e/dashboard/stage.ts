import type { Role } from '@navette/contract';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createTestMember, type TestMember } from '../../server/test/dashboard.ts';
import { type FakeMailbox, startFakeMailbox } from '../../server/test/fake-mailbox.ts';
import { freePort } from '../../server/test/free-port.ts';
import { startTestServer, type TestServer } from '../../server/test/test-server.ts';
import { startTestWorker } from '../../server/test/test-worker.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../server/test/webhook-receiver.ts';
import { openBrowser } from '../browser.ts';

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** What a tab asked for and complained about: errors, warnings, what its policy refused. */
export interface Seen {
  requests: string[];
  complaints: string[];
}

export interface Tab {
  page: Page;
  seen: Seen;
  close: () => Promise<void>;
}

/** The whole service as a merchant's people meet it: api and worker, mail that arrives, webhooks that are heard. */
export interface Stage {
  server: TestServer;
  browser: Browser;
  mailbox: FakeMailbox;
  receiver: WebhookReceiver;
  member: (accountId: string, role?: Role) => Promise<TestMember>;
  /** A new browser window at a path below /dashboard, signed in as the member, or as nobody. */
  open: (path: string, member?: TestMember | null, options?: BrowserContextOptions) => Promise<Tab>;
  stop: () => Promise<void>;
}

export async function openStage(settings: Record<string, string> = {}): Promise<Stage> {
  const mailbox = await startFakeMailbox();
  const receiver = await startWebhookReceiver();
  const port = String(await freePort()); // links in mails must lead here
  const server = await startTestServer({
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    MAIL_URL: mailbox.url,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...settings,
  });
  const worker = await startTestWorker(server);
  const browser = await openBrowser();

  async function open(path: string, member: TestMember | null = null, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({
      viewport: DESKTOP,
      locale: 'fr-FR',
      reducedMotion: 'reduce',
      ...options,
    });
    if (member) await context.addCookies([asCookie(member)]);
    const page = await context.newPage();
    page.setDefaultTimeout(10_000); // less than a test has, so that a failure names its line
    const seen = watch(page);
    await page.goto(`${server.url}/dashboard${path}`);
    return { page, seen, close: () => context.close() };
  }

  return {
    server,
    browser,
    mailbox,
    receiver,
    member: (accountId, role) => createTestMember(server, accountId, role),
    open,
    async stop() {
      await browser.close();
      await worker.stop();
      await server.stop();
      await receiver.stop();
      await mailbox.stop();
    },
  };
}

function asCookie({ cookie }: TestMember) {
  const [name = '', value = ''] = cookie.split('=', 2);
  // Secure, although the stage speaks plain HTTP: browsers trust loopback.
  return { name, value, url: 'https://127.0.0.1/', secure: true, httpOnly: true, sameSite: 'Lax' as const };
}

function watch(page: Page): Seen {
  const seen: Seen = { requests: [], complaints: [] };
  page.on('request', (request) => seen.requests.push(request.url()));
  page.on('pageerror', (error) => seen.complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') seen.complaints.push(message.text());
  });
  return seen;
}
