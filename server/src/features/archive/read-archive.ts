import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type pg from 'pg';
import type { FileStore } from '../../adapters/files/file-store.ts';

const decompress = promisify(gunzip);

/** Reads shipments that were moved to files. A read costs two statements and a file of a hundred shipments. */
export interface Archive {
  /** The number of an archived shipment of the account; null when it has none with this id or reference number. */
  find(accountId: string, by: 'id' | 'reference_number', value: string): Promise<number | null>;
  /** The documents of archived shipments by their numbers, in any order. */
  readDocuments(accountId: string, numbers: number[]): Promise<ArchivedDocument[]>;
}

export interface ArchivedDocument {
  number: number;
  document: string;
}

export interface ArchiveFile {
  name: string;
  first: number;
  sha256: Buffer;
}

/** `documentJson` is the SQL of a document, for the table shipments as `s`. */
export function createArchive(pool: pg.Pool, store: FileStore, documentJson: string): Archive {
  return {
    async find(accountId, by, value) {
      const { rows } = await pool.query<{ number: number }>({
        name: `archived-by-${by}`,
        text: `select number from archived_shipments where account_id = $1 and ${by} = $2`,
        values: [accountId, value],
      });
      return rows[0]?.number ?? null;
    },
    async readDocuments(accountId, numbers) {
      const lines: string[] = [];
      for (const file of await findFiles(pool, accountId, numbers)) {
        const found = await readLines(store, file);
        lines.push(...numbers.flatMap((number) => found[number - file.first] ?? []));
      }
      // The columns of a line are those of the table when it was archived. PostgreSQL builds the same row from them.
      const { rows } = await pool.query<ArchivedDocument>({
        name: 'archived-documents',
        text: `
          select s.number, ${documentJson} as document
          from unnest($1::text[]) as line, json_populate_record(null::shipments, line::json->'shipment') s`,
        values: [lines],
      });
      return rows;
    },
  };
}

async function findFiles(pool: pg.Pool, accountId: string, numbers: number[]): Promise<ArchiveFile[]> {
  const { rows } = await pool.query<ArchiveFile>({
    name: 'archive-files',
    text: `
      select distinct f.file_name as name, f.first_number as first, f.sha256
      from unnest($2::bigint[]) as wanted (number)
      cross join lateral (
        select * from archive_files where account_id = $1 and last_number >= wanted.number
        order by last_number limit 1) f
      where f.first_number <= wanted.number`,
    values: [accountId, numbers],
  });
  return rows;
}

/** The lines of a file, in the order of the shipments' numbers. */
export async function readLines(store: FileStore, { name, sha256 }: Omit<ArchiveFile, 'first'>): Promise<string[]> {
  const bytes = await store.read(name);
  if (bytes === null) throw new Error(`${name} is missing in PROOF_STORE: restore it from its backup`);
  if (!createHash('sha256').update(bytes).digest().equals(sha256)) {
    throw new Error(`${name} in PROOF_STORE is not the file that was written: restore it from its backup`);
  }
  return (await decompress(bytes)).toString().split('\n');
}
