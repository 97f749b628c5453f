import type { Allowed, AvoidedWord } from './words.ts';

export interface Finding {
  file: string;
  line: number;
  found: string;
  use: string;
}

interface Word {
  text: string;
  line: number;
  /** False where punctuation other than a comment's or a name's separates it from the word before. */
  continues: boolean;
}

interface Rule {
  phrase: string[];
  entry: AvoidedWord;
}

// Capitals as in `HTTP`, one word of a camelCase name, or letters without case.
const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+/gu;
// Between two words of a phrase: spaces, a comment's margin over a line break, hyphens and underscores of a name.
const SEPARATOR = /^[\s*/#_\-–`"“”|>]*$/u;

// A sentence of a comment that starts with one of these names nobody and nothing.
const BARE_SUBJECT = /(?:^\s*(?:\/\*\*?|\*|\/\/|--)|[.:]) (What|Who|Whose|Whom) /g;
const COMMENT_LINE = /^\s*(?:\/?\*|\/\/|--)/;
const CODE = /\.(?:ts|tsx|js|sql|lua)$/;

/** The avoided words of a file: its name, then its text, with the line of each. Line 0 is the name. */
export function findWords(file: string, text: string, avoided: AvoidedWord[]): Finding[] {
  const rules = avoided.flatMap((entry) => phrasesOf(entry.find).map((phrase): Rule => ({ phrase, entry })));
  return [...inWords(wordsOf(file, 0)), ...inWords(wordsOf(text, 1)), ...bareSubjects(file, text)];

  function inWords(words: Word[]): Finding[] {
    return words.flatMap((word, at) =>
      rules
        .filter(
          ({ phrase, entry }) => isAt(words, at, phrase) && !isAllowed(words, at, phrase, entry.allow ?? [], file),
        )
        .map(({ phrase, entry }) => ({ file, line: word.line, found: phrase.join(' '), use: entry.use })),
    );
  }
}

function bareSubjects(file: string, text: string): Finding[] {
  if (!CODE.test(file)) return [];
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    const subjects = COMMENT_LINE.test(line) ? [...line.matchAll(BARE_SUBJECT)] : [];
    return subjects
      .filter(({ index }) => !isQuestion(`${line.slice(index + 1)} ${lines.slice(at + 1, at + 4).join(' ')}`))
      .map(([, found]) => ({ file, line: at + 1, found: `${found} …`, use: 'the person or the thing, as a noun' }));
  });
}

function isQuestion(sentence: string): boolean {
  return /[.?!]/.exec(sentence)?.[0] === '?';
}

export function phrasesOf(find: string): string[][] {
  return find.split(',').map((phrase) => phrase.trim().split(' '));
}

function wordsOf(text: string, firstLine: number): Word[] {
  const words: Word[] = [];
  let line = firstLine;
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    const between = text.slice(end, match.index);
    line += between.split('\n').length - 1;
    words.push({ text: match[0].toLowerCase(), line, continues: SEPARATOR.test(between) });
    end = match.index + match[0].length;
  }
  return words;
}

function isAt(words: Word[], at: number, phrase: string[]): boolean {
  return phrase.every((text, i) => words[at + i]?.text === text && (i === 0 || words[at + i]?.continues === true));
}

function isAllowed(words: Word[], at: number, phrase: string[], allowed: Allowed[], file: string): boolean {
  return allowed.some((use) => {
    if ('file' in use) return file === use.file || (use.file.endsWith('/') && file.startsWith(use.file));
    const around = use.phrase.split(' ');
    return around.some((_, offset) => startsWith(around.slice(offset), phrase) && isAt(words, at - offset, around));
  });
}

function startsWith(words: string[], phrase: string[]): boolean {
  return phrase.every((text, i) => words[i] === text);
}
