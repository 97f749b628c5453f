export { moveIn } from './directory.ts';
export { forgetAccount } from './forget-account.ts';
export { INVENTORY, MOVED_TABLES } from './inventory.ts';
export { type MoveDirectory, type MoveProgress, MoveRefused, type MoveRequest } from './move.ts';
export { abandonMove, type MoveResult, moveAccount } from './move-account.ts';
