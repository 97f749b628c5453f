import { currentSkew } from '../api/call.ts';
import { toServerTime } from '../clock/server-clock.ts';
import { locationStore } from '../location/location.ts';
import { endSession, sessionStore } from '../session/session.ts';
import { createStore } from '../state/store.ts';
import { announce, onAnnouncement } from '../storage/announcements.ts';
import type { Command, CommandName, CommandRefusal, OutboxEntry } from './entry.ts';
import { makeDue, readOutbox, removeCard, storeCommand } from './outbox-storage.ts';
import { nextAttemptOf } from './queue.ts';
import { sendOutbox } from './send-outbox.ts';

const SYNC_TAG = 'outbox';
const NO_ENTRIES: OutboxEntry[] = [];

/** Entries of the signed-in driver, oldest first. */
export const outboxStore = createStore<OutboxEntry[]>(NO_ENTRIES);

let timer: ReturnType<typeof setTimeout> | undefined;
let sending: Promise<void> | undefined;
let isAskedAgain = false;

export async function reloadOutbox(): Promise<void> {
  const driverId = sessionStore.get()?.driver.id;
  outboxStore.set(driverId === undefined ? NO_ENTRIES : await readOutbox(driverId));
}
onAnnouncement((announcement) => {
  if (announcement === 'outbox') void reloadOutbox();
});

/** The result of a command that the driver waits for: applied, refused, or still waiting for the network. */
export type Submitted = 'done' | 'waiting' | CommandRefusal;

/** Stores a command, sends it as soon as possible, and waits for its result at most this long. */
export async function submit(command: Command, waitMs = 0): Promise<Submitted> {
  const driverId = sessionStore.get()?.driver.id;
  if (driverId === undefined) throw new Error('no session');
  const { seq } = await storeCommand(withPlace(command), driverId, toServerTime(Date.now(), currentSkew()));
  await reloadOutbox();
  announce('outbox');
  startSending();
  return waitMs === 0 ? 'waiting' : resultOf(seq, waitMs);
}

/** Commands that the operator may compare with the address. */
const AT_A_PLACE: ReadonlySet<string> = new Set<CommandName>(['pickUp', 'deliver', 'reportIncident']);
const RECENT_MS = 120_000;

/** Adds where the phone is, as it knows now: a command without network is sent from another place. */
function withPlace(command: Command): Command {
  const { fix } = locationStore.get();
  if (!AT_A_PLACE.has(command.name) || !fix || Date.now() - fix.at > RECENT_MS) return command;
  const { latitude, longitude } = fix;
  return { ...command, body: { ...command.body, place: { latitude, longitude } } };
}

function resultOf(seq: number, waitMs: number): Promise<Submitted> {
  return new Promise((resolve) => {
    const settle = (result: Submitted) => {
      clearTimeout(patience);
      unsubscribe();
      resolve(result);
    };
    const check = () => {
      const entry = outboxStore.get().find((one) => one.seq === seq);
      if (!entry) settle('done');
      else if (entry.state === 'refused' && entry.refusal) {
        settle(entry.refusal);
        void dismissCard(entry); // the caller shows it at once; a card would show it a second time
      }
    };
    const patience = setTimeout(() => settle('waiting'), waitMs);
    const unsubscribe = outboxStore.subscribe(check);
    check();
  });
}

/** Sends what is due, then schedules the next attempt. Calls while it runs make it run once more. */
export function startSending(): void {
  if (sending) {
    isAskedAgain = true;
    return;
  }
  sending = sendAndSchedule().finally(() => {
    sending = undefined;
    if (isAskedAgain) startSending();
  });
}

async function sendAndSchedule(): Promise<void> {
  isAskedAgain = false;
  clearTimeout(timer);
  const driverId = sessionStore.get()?.driver.id;
  if (driverId === undefined) return;
  if ((await sendOutbox(driverId)) === 'signed-out') return endSession();
  const next = nextAttemptOf(await readOutbox(driverId));
  if (next === null) return;
  timer = setTimeout(startSending, Math.max(500, next - Date.now()));
  await requestSync();
}

/** Background Sync: the browser wakes the service worker when the network is back, even if the app is closed. */
export async function requestSync(): Promise<void> {
  if (waitingIn(outboxStore.get()).length === 0) return;
  const registration = await navigator.serviceWorker?.getRegistration();
  await registration?.sync?.register(SYNC_TAG).catch(() => {}); // refused by the driver: timers remain
}

/** The network is back, or the driver asks for it: no entry waits for its next attempt. */
export async function sendNow(): Promise<void> {
  const driverId = sessionStore.get()?.driver.id;
  if (driverId !== undefined) await makeDue(driverId, Date.now());
  startSending();
}

export async function dismissCard(entry: OutboxEntry): Promise<void> {
  await removeCard(entry);
  announce('outbox');
}

export const waitingIn = (entries: readonly OutboxEntry[]): OutboxEntry[] =>
  entries.filter(({ state }) => state === 'waiting');
