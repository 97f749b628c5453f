const ON_A_BUSY_MACHINE = 20; // other programs may take nine tenths of the processor

/**
 * A time limit in milliseconds. `npm run test:timed` applies it as it stands, one test file at a time on a quiet machine;
 * all other runs accept a multiple of it, which still detects what never ends.
 */
export const timeLimitMs = (quietMs: number): number =>
  process.env.TIME_LIMITS === 'strict' ? quietMs : quietMs * ON_A_BUSY_MACHINE;
