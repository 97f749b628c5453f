import { describe, expect, it } from 'vitest';
import { lookUpTown } from '../../src/adapters/geocoder/town-index.ts';
import type { Commune } from './french-communes.ts';
import type { Place } from './french-places.ts';
import { indexTowns } from './index-towns.ts';

function commune(code: string, name: string, more: Partial<Commune> = {}): Commune {
  const postalCodes = more.mergedInto ? [] : ['40100'];
  return {
    code,
    name,
    department: '40',
    postalCodes,
    population: 0,
    mergedInto: undefined,
    districtOf: undefined,
    ...more,
  };
}

function place(name: string, latitude: number, department = '40'): Place {
  return { name, department, point: { latitude, longitude: 1, precision: 'town' } };
}

function latitudeOf(city: string, communes: Commune[], places: Place[]): number | undefined {
  return lookUpTown(indexTowns(communes, places), '40100', city)?.latitude;
}

describe('the join of communes and places', () => {
  it('takes the place of the same department, not its namesake elsewhere', () => {
    expect(latitudeOf('Dax', [commune('1', 'dax')], [place('dax', 48, '75'), place('dax', 43)])).toBe(43);
  });

  it('gives no point to a name that means two places of the department', () => {
    expect(
      latitudeOf('Dax', [commune('1', 'dax')], [place('dax', 43), place('dax', 44), place('dax', 43)]),
    ).toBeUndefined();
  });

  it('gives a merged commune the point of the former one that holds its town hall', () => {
    const former = [commune('2', 'old east', { mergedInto: '1' }), commune('1', 'old west', { mergedInto: '1' })];
    const places = [place('old east', 43), place('old west', 43.1)];
    expect(latitudeOf('New', [...former, commune('1', 'new')], places)).toBe(43.1);
    expect(latitudeOf('Old East', [...former, commune('1', 'new')], places)).toBe(43);
  });

  it('answers with the most peopled town of the postal code when the named one has no point', () => {
    const communes = [
      commune('1', 'small', { population: 5 }),
      commune('2', 'large', { population: 9 }),
      commune('3', 'lost'),
    ];
    expect(latitudeOf('Lost', communes, [place('small', 43.1), place('large', 43.2)])).toBe(43.2);
  });

  it('distrusts a point too far from the largest town of the postal code', () => {
    const communes = [commune('1', 'dax', { population: 9 }), commune('2', 'gosse')];
    expect(latitudeOf('Gosse', communes, [place('dax', 43), place('gosse', 43.3)])).toBe(43.3);
    expect(latitudeOf('Gosse', communes, [place('dax', 43), place('gosse', 43.4)])).toBe(43);
  });

  it('answers for a city with the district of the postal code', () => {
    const communes = [commune('1', 'paris', { population: 9 }), commune('2', 'paris 4', { districtOf: '1' })];
    expect(latitudeOf('Paris', communes, [place('paris', 43), place('paris 4', 43.1)])).toBe(43.1);
  });
});
