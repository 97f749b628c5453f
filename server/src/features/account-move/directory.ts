import type { Directory } from '../../cells/directory.ts';
import { type MoveDirectory, MoveRefused } from './move.ts';

/** Records moves in the directory of cells. */
export const moveIn = (directory: Directory): MoveDirectory => ({
  async begin(accountId, to) {
    const cell = (await directory.listCells()).find(({ tag }) => tag === to);
    if (!cell) throw new MoveRefused(`the directory has no cell ${to}`);
    if (cell.state === 'draining') throw new MoveRefused(`cell ${to} is being drained`);
    const other = await directory.beginMove(accountId, to);
    if (other !== null) throw new MoveRefused(`the directory has an unfinished move of the account to ${other}`);
  },
  settle: (accountId, place) => directory.settleMove(accountId, place),
  abandon: (accountId) => directory.abandonMove(accountId),
});
