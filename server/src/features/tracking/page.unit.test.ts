import type { SHIPMENT_STATUSES } from '@navette/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseLanguage } from '../../http/choose-language.ts';
import { html } from './html.ts';
import { createLocalTime } from './local-time.ts';
import { formatDistance, sketch } from './position-sketch.ts';
import { stepsOf } from './steps.ts';

describe('markup', () => {
  test('escapes every value, in text and in attributes', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { text: markup } = html`<p title="${text}">${text}</p>`;
        expect(markup.replaceAll(/&(amp|lt|gt|quot|#39);/g, '')).toMatch(/^<p title="[^<>"']*">[^<>"']*<\/p>$/);
      }),
    );
    expect(html`<i>${'<b>'}${html`<u>${'&'}</u>`}${null}${false}${[1, '"']}</i>`.text).toBe(
      '<i>&lt;b&gt;<u>&amp;</u>1&quot;</i>',
    );
  });
});

describe('the language', () => {
  test.each([
    [undefined, undefined, 'fr'],
    [undefined, 'en-GB,en;q=0.9,fr;q=0.5', 'en'],
    [undefined, 'fr-FR,fr;q=0.9,en;q=0.8', 'fr'],
    [undefined, 'de-DE,de;q=0.9', 'fr'],
    [undefined, 'de, en;q=0.3', 'en'],
    [undefined, 'en;q=0, fr', 'fr'],
    [undefined, ';;;,,q=', 'fr'],
    ['en', 'fr', 'en'],
    ['fr', 'en', 'fr'],
    ['<script>', 'en', 'en'],
    [['en', 'fr'], 'en', 'en'],
  ])('asked %s, browser %s: %s', (asked, accepted, language) => {
    expect(chooseLanguage(asked, accepted)).toBe(language);
  });
});

describe('local time', () => {
  const now = new Date('2026-03-28T22:30:00Z'); // 23:30 in Paris, before the change to summer time
  const fr = createLocalTime('fr', 'Europe/Paris', now);
  test('today, tomorrow and the hours of a slot are local, also across a clock change', () => {
    expect(fr.day(new Date('2026-03-28T22:59:00Z'))).toBe('Aujourd’hui');
    expect(fr.day(new Date('2026-03-28T23:01:00Z'))).toBe('Demain');
    expect(fr.day(new Date('2026-03-29T21:59:00Z'))).toBe('Demain');
    expect(fr.day(new Date('2026-03-29T22:01:00Z'))).toBe('Lundi 30 mars');
    expect(fr.hour(new Date('2026-03-29T12:30:00Z'))).toBe('14h30');
    expect(fr.hour(new Date('2026-03-28T13:00:00Z'))).toBe('14h');
    expect(fr.moment(new Date('2026-03-27T14:42:00Z'))).toBe('vendredi 27 mars à 15:42');
  });
});

describe('steps', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 2, 4, 12, minute));
  const life = (...statuses: (typeof SHIPMENT_STATUSES)[number][]) => {
    const history = statuses.map((status, i) => ({ status, at: at(i) }));
    return stepsOf({ status: statuses.at(-1) ?? 'created', history, createdAt: at(0) });
  };
  const read = (steps: ReturnType<typeof life>) =>
    steps.map(({ status, state, at: when }) => `${status} ${state} ${when ? when.getUTCMinutes() : '-'}`);

  test('a delivered shipment has five times', () => {
    expect(read(life('programmed', 'created', 'assigned', 'picked_up', 'in_transit', 'delivered'))).toEqual([
      'created done 0',
      'assigned done 2',
      'picked_up done 3',
      'in_transit done 4',
      'delivered done 5',
    ]);
  });

  test('an abandoned run leaves no time; the next assignment’s time is shown', () => {
    expect(read(life('created', 'assigned', 'created')).slice(0, 2)).toEqual(['created now 0', 'assigned next -']);
    expect(read(life('created', 'assigned', 'created', 'assigned'))[1]).toBe('assigned now 3');
  });

  test('a delivery directly after the assignment shows skipped steps without a time', () => {
    expect(read(life('created', 'assigned', 'delivered'))).toEqual([
      'created done 0',
      'assigned done 1',
      'picked_up done -',
      'in_transit done -',
      'delivered done 2',
    ]);
  });

  test('a cancellation ends the list at the last step', () => {
    expect(read(life('created', 'assigned', 'cancelled'))).toEqual([
      'created done 0',
      'assigned done 1',
      'cancelled now 2',
    ]);
    expect(read(life('programmed', 'cancelled'))).toEqual(['created done 0', 'cancelled now 1']);
  });
});

describe('the sketch', () => {
  test.each([
    [0.003, '50 m'],
    [0.84, '850 m'],
    [0.999, '1000 m'],
    [2.44, '2,4 km'],
    [12.3, '12 km'],
  ])('%s km is shown as %s', (km, text) => {
    expect(formatDistance(km, true)).toBe(text);
  });

  test('the driver is drawn in the right direction and within the image, for any coordinates', () => {
    const coordinates = fc.record({
      latitude: fc.double({ min: -89, max: 89, noNaN: true }),
      longitude: fc.double({ min: -179, max: 179, noNaN: true }),
    });
    fc.assert(
      fc.property(coordinates, coordinates, (driver, destination) => {
        const { text } = sketch(driver, destination, '');
        const [, x, y] = (/class="dot" cx="([\d.-]+)" cy="([\d.-]+)"/.exec(text) ?? []).map(Number);
        expect(x).toBeGreaterThan(10);
        expect(x).toBeLessThan(310);
        expect(y).toBeGreaterThan(10);
        expect(y).toBeLessThan(158);
        const north = Math.sign(Math.round(10 * (driver.latitude - destination.latitude)));
        const east = Math.sign(Math.round(10 * (driver.longitude - destination.longitude)));
        expect(north * (84 - (y ?? 0))).toBeGreaterThanOrEqual(0);
        expect(east * ((x ?? 0) - 160)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
