import type { Mode } from '@navette/contract';

/** Tabs share the session, so a switch in one of them must not leave another one with the data of the other mode. */
const otherTabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('navette-mode');
otherTabs?.addEventListener('message', ({ data }: MessageEvent<Mode>) => followMode(data));

let shown: Mode | undefined;

/** Starts the app again when the session shows another mode than this page. */
export function followMode(mode: Mode): void {
  if (shown !== undefined && shown !== mode) location.reload();
  shown = mode;
}

/** Starts the app again in the mode that the session was switched to, in every tab. */
export function enterMode(mode: Mode): void {
  otherTabs?.postMessage(mode);
  sessionStorage.clear(); // drafts belong to the mode that is left
  location.assign('/dashboard/');
}
