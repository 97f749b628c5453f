import { setTimeout } from 'node:timers/promises';
import type { Browser, Page, Route } from 'playwright-core';
import fr from '../../apps/driver/src/i18n/fr.ts';
import type { Chance } from '../day/chance.ts';
import type { Place } from '../day/paris.ts';

export const PASSWORD = 'vélo cargo sous la pluie';
const COMMANDS = /\/driver\/api\/v1\/shippings\/([\w-]+)\/(pickup|depart|deliver)$/;
const OFFLINE_SHARE = 0.4; // of the parcels are carried without network for a while
const LOST_SHARE = 0.1; // of the responses are lost after the server has committed
const PATIENCE_MS = 120_000; // for a button: processes are killed, and ten browsers share the machine

/** The steps of a parcel as the driver took them, by the clock of the phone. */
export interface Done {
  pickup: number;
  depart: number;
  deliver: number;
}

export interface Phone {
  /** The steps taken, by shipment id. */
  done: Map<string, Partial<Done>>;
  /** How many responses were lost, and how many parcels were carried without network. */
  lost: number;
  offline: number;
  /** Delivers every parcel that the home page shows, until the signal. */
  work(codeOf: (shipmentId: string) => Promise<string>, signal: AbortSignal): Promise<void>;
  /** Whether everything was sent and nothing refused. */
  isEmpty(): Promise<boolean>;
}

/** The real app in a browser context of its own, with an unreliable network. */
export async function openPhone(
  browser: Browser,
  url: string,
  { email, place, chance }: { email: string; place: Place; chance: Chance },
): Promise<Phone> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: 'fr-FR',
    reducedMotion: 'reduce',
    geolocation: { ...place, accuracy: 10 },
    permissions: ['geolocation', 'notifications'],
  });
  await context.addInitScript(
    `localStorage.setItem('navette-driver-settings', ${JSON.stringify(JSON.stringify({ isPrepared: true }))})`,
  );
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await signIn(page, url, email);

  const phone: Phone = {
    done: new Map(),
    lost: 0,
    offline: 0,
    async work(codeOf, signal) {
      while (!signal.aborted) {
        const id = await nextStop(page);
        if (id === null) await setTimeout(500);
        else await carry(id, await codeOf(id));
      }
    },
    async isEmpty() {
      await page.goto(`${url}/driver/outbox`);
      return page
        .getByText(fr.outbox.empty)
        .waitFor()
        .then(
          () => true,
          () => false,
        );
    },
  };

  await context.route(COMMANDS, async (route: Route) => {
    if (!chance.isLuck(LOST_SHARE)) return route.continue();
    phone.lost++;
    await route.fetch().catch(() => {}); // the server commits, and the connection breaks
    await route.abort('connectionreset').catch(() => {});
  });

  async function carry(id: string, code: string): Promise<void> {
    const isOffline = chance.isLuck(OFFLINE_SHARE);
    await page.locator(`.stops a[href$="${id}"]`).first().click();
    if (isOffline) {
      phone.offline++;
      await isStored(page);
      await context.setOffline(true);
    }
    await press(id, 'pickup', fr.stop.pickUp);
    await press(id, 'depart', fr.stop.depart);
    if (isOffline && chance.isLuck(0.5)) await closeAndReopen(id);
    await page.getByRole('button', { name: fr.stop.deliver, exact: true }).click();
    for (const digit of code) await page.locator('.keypad').getByRole('button', { name: digit, exact: true }).click();
    await press(id, 'deliver', fr.code.confirm);
    await page.getByRole('heading', { name: fr.stop.done }).waitFor();
    if (isOffline) {
      await setTimeout(chance.between(0, 3_000));
      await context.setOffline(false);
    }
    await page.goto(`${url}/driver/`);
  }

  async function press(id: string, step: keyof Done, name: string): Promise<void> {
    await page.getByRole('button', { name, exact: true }).click();
    phone.done.set(id, { ...phone.done.get(id), [step]: Date.now() });
  }

  /** The app is closed with commands in its outbox. The page that comes back is answered by the service worker. */
  async function closeAndReopen(id: string): Promise<void> {
    await page.goto('about:blank');
    await page.goto(`${url}/driver/stop/${id}`);
  }
  return phone;
}

async function signIn(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/driver/`);
  await page.getByLabel(fr.session.email).fill(email);
  await page.getByLabel(fr.session.password, { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: fr.session.signIn, exact: true }).click();
  await page.getByRole('button', { name: fr.home.becomeAvailable }).click();
  await page.getByText(fr.home.positionSent).waitFor();
}

/** The id of the first stop on the home page; null when there is none. */
async function nextStop(page: Page): Promise<string | null> {
  const link = page.locator('.stops a').first();
  const href = (await link.count()) > 0 ? await link.getAttribute('href').catch(() => null) : null;
  return href?.split('/').at(-1) ?? null;
}

/** Waits until the service worker can answer without network. */
const isStored = (page: Page): Promise<unknown> => page.evaluate('navigator.serviceWorker.ready.then(() => true)');
