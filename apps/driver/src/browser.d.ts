/** Browser features that TypeScript's library does not describe, because only some browsers have them. */
interface SyncManager {
  register(tag: string): Promise<void>;
}
interface ServiceWorkerRegistration {
  readonly sync?: SyncManager;
}
interface BeforeInstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>;
}
interface MediaTrackCapabilities {
  torch?: boolean;
}
interface MediaTrackConstraintSet {
  torch?: boolean;
}
declare const __APP_VERSION__: string;
