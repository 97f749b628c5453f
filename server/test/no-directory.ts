import type { MoveDirectory } from '../src/features/account-move/index.ts';

/** For a move between databases without a router. */
export const NO_DIRECTORY: MoveDirectory = {
  begin: async () => {},
  settle: async () => {},
  abandon: async () => {},
};
