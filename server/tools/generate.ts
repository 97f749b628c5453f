/**
 * Writes what is generated and committed, so that it can be read without running anything:
 * table types from the migrated database, OpenAPI and the reference pages from the contract, README's tables.
 * `--check` writes nothing and fails when a committed file is out of date.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { buildDashboardOpenApi, buildDriverOpenApi, buildOpenApi } from '@navette/contract';
import pg from 'pg';
import { readConfig } from '../src/config.ts';
import { migrateDatabase } from '../src/database/migrate.ts';
import { commandsTable, endpointsPage, errorsPage, settingsTable } from './reference-pages.ts';

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
    const options = ['--dialect', 'postgres', '--default-schema', 'public', '--exclude-pattern', 'kysely_*'];
    const mapping = ['--type-mapping', '{"int8":"number"}', '--log-level', 'error'];
    return execFileSync('npx', ['kysely-codegen', '--url', url.href, '--print', ...options, ...mapping], {
      encoding: 'utf8',
      cwd: root,
    });
  } finally {
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
  }
}

/** The page with its part between `<!-- name -->` and `<!-- /name -->` written anew. */
function withPart(page: string, name: string, part: string): string {
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  return page.slice(0, page.indexOf(start) + start.length) + part + page.slice(page.indexOf(end));
}

const readme = readFileSync(new URL('README.md', root), 'utf8');
const files: Record<string, string> = {
  'README.md': withPart(withPart(readme, 'commands', commandsTable()), 'settings', settingsTable()),
  'contract/openapi.json': `${JSON.stringify(buildOpenApi(), null, 2)}\n`,
  'contract/driver-openapi.json': `${JSON.stringify(buildDriverOpenApi(), null, 2)}\n`,
  'contract/dashboard-openapi.json': `${JSON.stringify(buildDashboardOpenApi(), null, 2)}\n`,
  'docs/endpoints.md': endpointsPage(),
  'docs/errors.md': errorsPage(),
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
