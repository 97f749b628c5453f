import { createRequire } from 'node:module';
import { normalizeTownName } from '../../src/adapters/geocoder/town-name.ts';
import { readFlatRecords } from './read-flat-records.ts';

export interface Commune {
  code: string;
  /** Normalised. */
  name: string;
  department: string;
  postalCodes: string[];
  population: number;
  /** Of a former commune: the code of the one it was merged into. Former communes have no postal codes. */
  mergedInto: string | undefined;
  /** Of a district of Paris, Lyon or Marseille: the code of the city. */
  districtOf: string | undefined;
}

/** As `@etalab/decoupage-administratif` writes it. */
interface CommuneRecord {
  code: string;
  nom: string;
  departement: string;
  codesPostaux?: string[];
  population?: number;
  chefLieu?: string;
  commune?: string;
}

const require = createRequire(import.meta.url);

export async function readFrenchCommunes(): Promise<Commune[]> {
  const file = require.resolve('@etalab/decoupage-administratif/data/communes.json');
  const communes: Commune[] = [];
  for await (const record of readFlatRecords<CommuneRecord>(file, /./)) {
    communes.push({
      code: record.code,
      name: normalizeTownName(record.nom),
      department: record.departement,
      postalCodes: record.codesPostaux ?? [],
      population: record.population ?? 0,
      mergedInto: record.chefLieu,
      districtOf: record.commune,
    });
  }
  return communes;
}
