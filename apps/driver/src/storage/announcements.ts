/** Tells every tab and the service worker that stored data has changed, so that each reads it again. */
export type Announcement = 'outbox' | 'runs' | 'session';

const channel = new BroadcastChannel('navette-driver');
const listeners = new Set<(announcement: Announcement) => void>();
channel.onmessage = ({ data }: MessageEvent<Announcement>) => notify(data);

export function announce(announcement: Announcement): void {
  channel.postMessage(announcement);
  notify(announcement);
}

export function onAnnouncement(listener: (announcement: Announcement) => void): void {
  listeners.add(listener);
}

function notify(announcement: Announcement): void {
  for (const listener of listeners) listener(announcement);
}
