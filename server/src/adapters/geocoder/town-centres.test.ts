import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readFrenchCommunes } from '../../../tools/towns/french-communes.ts';
import { readFrenchPlaces } from '../../../tools/towns/french-places.ts';
import { indexTowns } from '../../../tools/towns/index-towns.ts';
import { distanceKm } from '../../geography/distance-km.ts';
import { createTownCentres } from './town-centres.ts';
import { readTowns } from './town-index.ts';

const NOWHERE = { latitude: 0, longitude: 0 };
const townCentres = createTownCentres();

function find(city: string, postalCode: string, country = 'France') {
  return townCentres.find({ street: '1 rue de la Mairie', city, postalCode, country });
}

describe('known towns', () => {
  it.each([
    ['Paris', '75001', 48.8625, 2.3364],
    ['Paris', '75011', 48.859, 2.3795],
    ['Paris', '75116', 48.8602, 2.262],
    ['Lyon', '69003', 45.7536, 4.8695],
    ['Marseille', '13008', 43.2508, 5.3832],
    ['Saint-Denis', '93200', 48.9356, 2.3539],
    ['Lille', '59000', 50.6366, 3.0635],
    ['Bordeaux', '33000', 44.8378, -0.5794],
    ['Toulouse', '31000', 43.6045, 1.4442],
    ['Nantes', '44000', 47.2184, -1.5536],
    ['Strasbourg', '67000', 48.5734, 7.7521],
    ["L'Haÿ-les-Roses", '94240', 48.779, 2.3377],
    ['Dunkerque', '59140', 51.0347, 2.3772],
    ['Cherbourg-en-Cotentin', '50100', 49.6337, -1.6221],
    ['Évry-Courcouronnes', '91000', 48.6243, 2.4293],
    ['Ajaccio', '20000', 41.9192, 8.7386],
    ['Bastia', '20200', 42.6973, 9.4509],
    ['Saint-Denis', '97400', -20.8789, 55.4481],
    ['Mamoudzou', '97600', -12.7806, 45.2279],
  ])('%s %s is within 10 km of its true position', async (city, postalCode, latitude, longitude) => {
    const point = await find(city, postalCode);
    expect(point?.precision).toBe('town');
    expect(distanceKm(point ?? NOWHERE, { latitude, longitude })).toBeLessThan(10);
  });
});

describe('the way a town is written', () => {
  it.each([
    ['ST DENIS', '93200', 'Saint-Denis'],
    ['l hay les roses', '94240', "L'Haÿ-les-Roses"],
    ['Paris 11e arrondissement', '75011', 'Paris'],
    ['PARIS CEDEX 11', '75 011', 'Paris'],
    ['Lyon 3ème', '69003', 'Lyon'],
  ])('%s %s is %s', async (city, postalCode, usual) => {
    expect(await find(city, postalCode)).toEqual(await find(usual, postalCode.replace(' ', '')));
  });

  it('each district of Paris has its own centre', async () => {
    expect(await find('Paris', '75001')).not.toEqual(await find('Paris', '75020'));
  });

  it('of two towns that share a postal code, the named one is found', async () => {
    const [mions, toussieu] = [await find('Mions', '69780'), await find('Toussieu', '69780')];
    expect(distanceKm(mions ?? NOWHERE, { latitude: 45.6633, longitude: 4.9531 })).toBeLessThan(2);
    expect(distanceKm(toussieu ?? NOWHERE, { latitude: 45.6553, longitude: 4.9847 })).toBeLessThan(2);
  });

  it('a name the postal code does not have gives its largest town', async () => {
    expect(await find('Nulle-Part', '59140')).toEqual(await find('Dunkerque', '59140'));
  });

  it('an unknown postal code is not found, whatever the name', async () => {
    expect(await find('Paris', '00000')).toBeNull();
    expect(await find('Paris', '')).toBeNull();
  });

  it('a town in another country is not found', async () => {
    expect(await find('Saint-Denis', '93200', 'Belgique')).toBeNull();
  });
});

describe('coverage of the data as installed', () => {
  it('at least 96% of the population and 82% of the postal codes have an answer', async () => {
    const answered = new Map<string, boolean>();
    let population = 0;
    let located = 0;
    for (const { name, postalCodes, population: inhabitants, districtOf } of await readFrenchCommunes()) {
      if (districtOf !== undefined) continue; // counted with their city
      for (const postalCode of postalCodes) {
        const found = (await find(name, postalCode)) !== null;
        answered.set(postalCode, found);
        population += inhabitants / postalCodes.length;
        located += found ? inhabitants / postalCodes.length : 0;
      }
    }
    expect(located / population).toBeGreaterThan(0.96);
    expect([...answered.values()].filter(Boolean).length / answered.size).toBeGreaterThan(0.82);
    expect(answered.size).toBeGreaterThan(6_000);
  });
});

it('towns.tsv gives every town and point that its sources give', async () => {
  const written = readTowns(await readFile(new URL('./towns.tsv', import.meta.url), 'utf8'));
  const sources = indexTowns(await readFrenchCommunes(), await readFrenchPlaces());
  expect(written.size).toBe(sources.size);
  for (const [postalCode, { towns, largest }] of sources) {
    const area = written.get(postalCode);
    expect([postalCode, area?.largest]).toEqual([postalCode, largest]);
    expect([...(area?.towns ?? [])]).toEqual([...towns]);
  }
});
