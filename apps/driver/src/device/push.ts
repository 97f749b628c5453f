import { call } from '../api/call.ts';
import { sessionStore } from '../session/session.ts';

/**
 * Subscribes this phone to pushes and sends the subscription to the server. Called at each start: browsers end
 * subscriptions silently.
 */
export async function subscribeToPushes(): Promise<void> {
  const pushKey = sessionStore.get()?.pushKey;
  if (!pushKey || !('PushManager' in globalThis) || Notification.permission !== 'granted') return;
  const registration = await navigator.serviceWorker.ready;
  const subscription =
    (await registration.pushManager.getSubscription()) ??
    (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey }));
  const { endpoint, keys } = subscription.toJSON();
  if (!endpoint || !keys?.p256dh || !keys.auth) return;
  await call('savePushSubscription', { body: { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } } });
}

export async function hasPushSubscription(): Promise<boolean> {
  const registration = await navigator.serviceWorker?.getRegistration();
  return Boolean(await registration?.pushManager?.getSubscription());
}

/** Before signing out: the next driver of this phone must not get this driver's offers. */
export async function unsubscribeFromPushes(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  const subscription = await registration?.pushManager?.getSubscription();
  if (!subscription) return;
  await call('removePushSubscription').catch(() => {});
  await subscription.unsubscribe();
}
