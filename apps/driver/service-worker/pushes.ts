import type { DriverPushMessage } from '@navette/contract';

/**
 * Every push shows a notification: iPhones end a subscription after a few pushes without one. One notification per
 * parcel: a withdrawn offer replaces the offer.
 */
export async function showPush(worker: ServiceWorkerGlobalScope, push: DriverPushMessage): Promise<void> {
  const { type, shippingId, title, body } = push;
  const isOffer = type === 'offer';
  await worker.registration.showNotification(title, {
    body,
    tag: shippingId,
    icon: '/driver/icon-192.png',
    badge: '/driver/icon-192.png',
    requireInteraction: isOffer,
    silent: type === 'withdrawn',
    data: { path: isOffer ? `/offer/${shippingId}` : type === 'changed' ? `/stop/${shippingId}` : '/' },
  });
}
