import { cellOfToken } from '@navette/contract/cells';
import type { Database } from '../database/database.ts';
import type { Cell, Directory, PersonKind } from './directory.ts';
import { findPerson } from './sign-in-people.ts';
import { thisCell } from './this-cell.ts';

const CELLS_MS = 10_000; // cells change a few times a year

/** The parts of a request without a session that show whose it is. */
export interface Claim {
  /** Of an invitation, or of a link that sets a password. */
  token?: string;
  email?: string;
}

/** Finds the address of the other cell to which a person belongs; null when it is this one, or nobody knows the person. */
export type FindOtherCell = (kind: PersonKind, claim: Claim) => Promise<string | null>;

/** People who sign in here need no directory: it is asked about unknown addresses only. */
export function createCellFinder(db: Database, directory: Directory): FindOtherCell {
  let known: { cells: Cell[]; until: number } | null = null;

  async function readAddress(tag: string): Promise<string | null> {
    if (!known || known.until < Date.now())
      known = { cells: await directory.listCells(), until: Date.now() + CELLS_MS };
    return known.cells.find((cell) => cell.tag === tag)?.address ?? null;
  }

  return async (kind, { token, email }) => {
    const tag = await tagOf(kind, token, email);
    return tag === null || tag === thisCell() ? null : readAddress(tag);
  };

  async function tagOf(kind: PersonKind, token?: string, email?: string): Promise<string | null> {
    if (token !== undefined) return (await directory.findMovedCell(token)) ?? cellOfToken(token);
    if (email === undefined) return null;
    const { isKnown, addressHash } = await findPerson(db, kind, email);
    return isKnown ? null : directory.findCellOf(kind, addressHash);
  }
}
