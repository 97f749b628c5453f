import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

const MIN_GUESSES = 3e8; // more than one very common word twice, less than two unrelated words
const MAX_ESTIMATED = 48; // characters: the estimate takes longer for longer text, and a weak start is weak enough
const SUBSTITUTIONS = 5; // readings of `p4$$w0rd`: with the library's 100, a crafted text takes 35 ms instead of 6

let estimator: Promise<ZxcvbnFactory> | undefined;

/** Loaded on first use: the dictionaries take 30 MB and some 70 ms, and most processes never check a password. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const { ZxcvbnFactory } = await import('@zxcvbn-ts/core');
  const { adjacencyGraphs, dictionary } = await import('@zxcvbn-ts/language-common');
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, l33tMaxSubstitutions: SUBSTITUTIONS });
}

/**
 * Whether a password is easy to guess: one of the 50,000 most common ones, a sequence, a repetition, a row of keys, or
 * made of facts `about` its owner. Length is checked elsewhere.
 */
export async function isGuessable(password: string, about: readonly string[]): Promise<boolean> {
  estimator ??= loadEstimator();
  const known = ['navette', ...about.flatMap(spellings)];
  const { guesses } = (await estimator).check(password.slice(0, MAX_ESTIMATED), known);
  return guesses < MIN_GUESSES;
}

/** The text as it is, without spaces and accents, and each of its words: `Atelier Zoé`, `AtelierZoe`, `Zoe`. */
function spellings(text: string): string[] {
  const plain = text.normalize('NFD').replaceAll(/\p{Mn}/gu, '');
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2);
  return [text, plain, plain.replaceAll(/\s/g, ''), ...words];
}
