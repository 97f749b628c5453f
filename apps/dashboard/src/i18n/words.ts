import type fr from './fr/index.ts';

/** The French texts decide which keys exist; every other language has exactly the same. */
export type Words<T = typeof fr> = { [K in keyof T]: T[K] extends string ? string : Words<T[K]> };
