/**
 * Writes the generated files that are committed: table types from the migrated database, OpenAPI and the reference pages
 * from the contract, the SDK's types and remedies, README's tables, .env.example, the town list from its sources.
 * `--check` writes nothing and fails when a committed file is out of date.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { buildConsoleOpenApi, buildDashboardOpenApi, buildDriverOpenApi, buildOpenApi } from '@navette/contract';
import pg from 'pg';
import { writeTowns } from '../src/adapters/geocoder/town-index.ts';
import { readConfig } from '../src/config.ts';
import { migrateDatabase } from '../src/database/migrate.ts';
import {
  commandsTable,
  endpointsPage,
  envExample,
  errorsPage,
  frenchErrorsPage,
  settingsTable,
} from './reference-pages.ts';
import { phpRemedies, sdkRemedies, sdkTypes } from './sdk-types.ts';
import { readFrenchCommunes } from './towns/french-communes.ts';
import { readFrenchPlaces } from './towns/french-places.ts';
import { indexTowns } from './towns/index-towns.ts';

const root = new URL('../../', import.meta.url);
const checking = process.argv.includes('--check');

async function tableTypes(): Promise<string> {
  const url = new URL(readConfig().databaseUrl);
  const admin = new pg.Client({ connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href });
  const name = `navette_generate_${process.pid}`;
  url.pathname = `/${name}`;
  await admin.connect();
  try {
    await migrateDatabase(url.href);
    const options = {
      url: url.href,
      dialect: 'postgres',
      'default-schema': 'public',
      'exclude-pattern': 'kysely_*',
      'type-mapping': JSON.stringify({ int8: 'number' }),
      overrides: JSON.stringify({ columns: await jsonColumnTypes(url.href) }),
      'custom-imports': JSON.stringify({ JsonColumn: './json-columns.ts' }),
      'log-level': 'error',
    };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    return execFileSync('npx', ['kysely-codegen', '--print', ...args], { encoding: 'utf8', cwd: root });
  } finally {
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
  }
}

/** Every JSON column gets the type that json-columns.ts declares for it. */
async function jsonColumnTypes(databaseUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ column: string; nullable: boolean; generated: boolean }>(`
      select table_name || '.' || column_name as column, is_nullable = 'YES' as nullable,
             column_default is not null as generated
      from information_schema.columns where table_schema = 'public' and data_type in ('json', 'jsonb')`);
    return Object.fromEntries(
      rows.map(({ column, nullable, generated }) => {
        const type = `JsonColumn<"${column}">${nullable ? ' | null' : ''}`;
        return [column, generated ? `Generated<${type}>` : type];
      }),
    );
  } finally {
    await client.end();
  }
}

/** Replaces the part of a page between `<!-- name -->` and `<!-- /name -->`. */
function withPart(page: string, name: string, part: string): string {
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  return page.slice(0, page.indexOf(start) + start.length) + part + page.slice(page.indexOf(end));
}

const readme = readFileSync(new URL('README.md', root), 'utf8');
const phpClient = readFileSync(new URL('sdk/php/Navette.php', root), 'utf8');
const files: Record<string, string> = {
  'README.md': withPart(withPart(readme, 'commands', commandsTable()), 'settings', settingsTable()),
  '.env.example': envExample(),
  'contract/openapi.json': `${JSON.stringify(buildOpenApi(), null, 2)}\n`,
  'contract/driver-openapi.json': `${JSON.stringify(buildDriverOpenApi(), null, 2)}\n`,
  'contract/dashboard-openapi.json': `${JSON.stringify(buildDashboardOpenApi(), null, 2)}\n`,
  'contract/console-openapi.json': `${JSON.stringify(buildConsoleOpenApi(), null, 2)}\n`,
  'docs/endpoints.md': endpointsPage(),
  'docs/errors.md': errorsPage(),
  'docs/fr/errors.md': frenchErrorsPage(),
  'sdk/src/generated/api-types.ts': sdkTypes(buildOpenApi()),
  'sdk/src/generated/remedies.ts': sdkRemedies(),
  'sdk/php/Navette.php': withPart(phpClient, 'remedies', phpRemedies()),
  'server/src/adapters/geocoder/towns.tsv': writeTowns(
    indexTowns(await readFrenchCommunes(), await readFrenchPlaces()),
  ),
  'server/src/database/tables.ts': await tableTypes(),
};

const stale = Object.entries(files).filter(([path, text]) => {
  try {
    return readFileSync(new URL(path, root), 'utf8') !== text;
  } catch {
    return true;
  }
});
for (const [path, text] of stale) {
  console.log(checking ? `out of date: ${path}` : `written: ${path}`);
  if (!checking) writeFileSync(new URL(path, root), text);
}
if (checking && stale.length > 0) {
  console.error('Run `npm run generate` and commit the result.');
  process.exitCode = 1;
}
