import i18next from 'i18next';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startTranslations } from './start-translations.ts';

const texts = (subjects: Record<string, object>) => async () => ({ default: subjects });

beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => 'en' });
  vi.stubGlobal('document', { documentElement: {} });
});
afterEach(() => vi.unstubAllGlobals());

test('the subject that a page uses brings all others of its file, so that a dialog finds its own at once', async () => {
  const first = texts({ common: { close: 'Close' } });
  const more = texts({ addresses: { title: 'Address book' }, newShipment: { recipient: 'Recipient' } });
  await startTranslations({ en: { first, more }, fr: { first, more } });
  expect(i18next.hasLoadedNamespace('addresses')).toBe(false);
  await i18next.loadNamespaces('addresses');
  expect(i18next.getResource('en', 'addresses', 'title')).toBe('Address book');
  expect(i18next.hasLoadedNamespace('newShipment')).toBe(true);
  expect(i18next.getResource('en', 'newShipment', 'recipient')).toBe('Recipient');
});
