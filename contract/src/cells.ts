/**
 * A cell is a region with a database of its own. Tokens contain its tag: `navette_<purpose>_<cell>_<random>`. Tokens issued
 * before an installation had cells contain none.
 */
const TAG = '[2-9A-HJKMNP-TV-Z]{2}';
const wholeTag = new RegExp(`^${TAG}$`);
const taggedToken = new RegExp(`^navette_[a-z]+_(${TAG})_[0-9A-Za-z]+$`);

/** Names the cell in the address of a socket. */
export const CELL_PARAMETER = 'cell';

export const isCellTag = (text: string): boolean => wholeTag.test(text);

export const cellOfToken = (token: string): string | null => taggedToken.exec(token)?.[1] ?? null;

/** The query of a socket's address: a router does not see the token, which comes after the connection is open. */
export function socketQueryOf(token: string): Record<string, string> {
  const cell = cellOfToken(token);
  return cell === null ? {} : { [CELL_PARAMETER]: cell };
}
