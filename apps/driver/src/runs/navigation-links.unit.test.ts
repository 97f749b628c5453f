import { expect, test } from 'vitest';
import { callLink, navigationLink, smsLink } from './navigation-links.ts';

const place = { latitude: 48.85, longitude: 2.35 };
const address = '3 rue de l’Église, 75011 Paris';

test('directions lead to the coordinates, or to the address where there are none', () => {
  expect(navigationLink('google', place, address)).toBe(
    'https://www.google.com/maps/dir/?api=1&destination=48.85,2.35',
  );
  expect(navigationLink('waze', place, address)).toBe('https://waze.com/ul?ll=48.85,2.35&navigate=yes');
  expect(navigationLink('apple', null, address)).toBe(`https://maps.apple.com/?daddr=${encodeURIComponent(address)}`);
  expect(navigationLink('geo', place, 'Rue A')).toBe('geo:48.85,2.35?q=48.85,2.35(Rue%20A)');
  expect(navigationLink('geo', null, 'Rue A')).toBe('geo:0,0?q=Rue%20A');
});

test('phone links contain figures only, and the text of a message is escaped', () => {
  expect(callLink('+33 6 11-22')).toBe('tel:+3361122');
  expect(smsLink('+33611', 'Bonjour & à bientôt')).toBe('sms:+33611?body=Bonjour%20%26%20%C3%A0%20bient%C3%B4t');
});
