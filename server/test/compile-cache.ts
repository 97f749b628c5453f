import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Compiling the modules takes half of a short command's time, and every process compiles the same ones. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(tmpdir(), 'navette-test-compile-cache') };
