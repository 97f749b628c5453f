import type { Role } from '@navette/contract';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { createTestMember, type TestMember } from '../../server/test/dashboard.ts';
import { type FakeMailbox, startFakeMailbox } from '../../server/test/fake-mailbox.ts';
import { type FakeStripe, startFakeStripe } from '../../server/test/fake-stripe.ts';
import { freePort } from '../../server/test/free-port.ts';
import { startTestServer, type TestServer } from '../../server/test/test-server.ts';
import { startTestWorker } from '../../server/test/test-worker.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../server/test/webhook-receiver.ts';
import { openBrowser } from '../browser.ts';
import { openWindow, type Tab } from '../window.ts';

export { DESKTOP, PHONE, type Tab } from '../window.ts';

/** The whole service for browser tests: api, worker, a mailbox, a webhook receiver and a double of Stripe. */
export interface Stage {
  server: TestServer;
  browser: Browser;
  mailbox: FakeMailbox;
  receiver: WebhookReceiver;
  stripe: FakeStripe;
  member: (accountId: string, role?: Role) => Promise<TestMember>;
  /** A new browser window at a path below /dashboard, signed in as the member, or as nobody. */
  open: (path: string, member?: TestMember | null, options?: BrowserContextOptions) => Promise<Tab>;
  stop: () => Promise<void>;
}

export async function openStage(settings: Record<string, string> = {}): Promise<Stage> {
  const mailbox = await startFakeMailbox();
  const receiver = await startWebhookReceiver();
  const stripe = await startFakeStripe();
  const port = String(await freePort()); // links in mails must use it
  const server = await startTestServer({
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    MAIL_URL: mailbox.url,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    SELLER_NAME: 'Navette Exploitation',
    SELLER_IBAN: 'FR7630006000011234567890189',
    SELLER_BIC: 'AGRIFRPP',
    SELLER_CONTACT: 'compta@navette.example',
    ...stripe.settings,
    ...settings,
  });
  const worker = await startTestWorker(server);
  const browser = await openBrowser();

  const open = (path: string, member: TestMember | null = null, options: BrowserContextOptions = {}) =>
    openWindow(browser, `${server.url}/dashboard${path}`, member, options);

  return {
    server,
    browser,
    mailbox,
    receiver,
    stripe,
    member: (accountId, role) => createTestMember(server, accountId, role),
    open,
    async stop() {
      await browser.close();
      await worker.stop();
      await server.stop();
      await receiver.stop();
      await stripe.stop();
      await mailbox.stop();
    },
  };
}
