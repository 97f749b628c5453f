import type { Place } from '@navette/contract/driver-stop-order';
import type { NavigationApp } from '../storage/settings.ts';

export const NAVIGATION_APPS: readonly NavigationApp[] = ['google', 'waze', 'apple', 'geo'];

/** A link that opens directions in another app: to the coordinates, or to the address where there are none. */
export function navigationLink(app: NavigationApp, at: Place | null, address: string): string {
  const point = at ? `${at.latitude},${at.longitude}` : null;
  const text = encodeURIComponent(address);
  switch (app) {
    case 'google':
      return `https://www.google.com/maps/dir/?api=1&destination=${point ?? text}`;
    case 'waze':
      return point ? `https://waze.com/ul?ll=${point}&navigate=yes` : `https://waze.com/ul?q=${text}&navigate=yes`;
    case 'apple':
      return `https://maps.apple.com/?daddr=${point ?? text}`;
    case 'geo':
      return point ? `geo:${point}?q=${point}(${text})` : `geo:0,0?q=${text}`;
  }
}

export const callLink = (phoneNumber: string): string => `tel:${phoneNumber.replaceAll(/[^+\d]/g, '')}`;

export const smsLink = (phoneNumber: string, text: string): string =>
  `sms:${phoneNumber.replaceAll(/[^+\d]/g, '')}?body=${encodeURIComponent(text)}`;
