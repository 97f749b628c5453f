import { readdir, readFile } from 'node:fs/promises';

export interface MigrationFile {
  name: string;
  text: string;
  /** False for statements that PostgreSQL refuses inside a transaction, such as `create index concurrently`. */
  inTransaction: boolean;
}

/** As the first line of a file. CONTRIBUTING.md describes how such a file is written. */
const NO_TRANSACTION = '-- migrate: no transaction';

/** The SQL files of a folder, in the order of their names. */
export async function readMigrationFiles(folder: URL): Promise<MigrationFile[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(file, folder), 'utf8');
      const inTransaction = text.split('\n', 1)[0]?.trim() !== NO_TRANSACTION;
      if (!inTransaction) checkRepeatable(file, text);
      return { name: file.replace('.sql', ''), text, inTransaction };
    }),
  );
}

/**
 * Each statement is sent alone: PostgreSQL runs statements that arrive together in one transaction. A statement ends with
 * a semicolon at the end of a line, outside of a body in dollar quotes.
 */
export function splitStatements(text: string): string[] {
  const statements = text.match(/(?:\$\$.*?\$\$|;(?![ \t]*$)|[^;])+/gms) ?? [];
  return statements.filter((statement) => statement.replace(/--.*$/gm, '').trim() !== '');
}

/**
 * A file without a transaction may stop half way and is then run again. A concurrent build that failed leaves an invalid
 * index, which `if not exists` would keep. So the file has to drop the index first.
 */
function checkRepeatable(file: string, text: string): void {
  for (const [, index] of text.matchAll(
    /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?(\S+)/gi,
  )) {
    const drop = new RegExp(`\\bdrop\\s+index\\s+concurrently\\s+if\\s+exists\\s+${index}\\s*;[^]*\\bcreate\\b`, 'i');
    if (!drop.test(text)) {
      throw new Error(`${file} must run \`drop index concurrently if exists ${index};\` before it creates that index`);
    }
  }
}
