import { describe, expect, test } from 'vitest';
import { findWords, phrasesOf } from './find-words.ts';
import { AVOIDED } from './words.ts';

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function found(text: string, file = 'a.ts'): string[] {
  return findWords(file, text, AVOIDED).map((finding) => finding.found);
}

describe('an avoided word', () => {
  const cases = AVOIDED.flatMap(({ find }) => phrasesOf(find).map((phrase) => phrase.join(' ')));

  test.each(cases)('%s is found in prose and in every form of a name', (phrase) => {
    const words = phrase.split(' ');
    expect(found(`Before ${phrase}, after.`)).toContain(phrase);
    expect(found(`${capitalised(phrase)} starts a sentence.`)).toContain(phrase);
    expect(found(`const is${words.map(capitalised).join('')} = 1;`)).toContain(phrase);
    expect(found(`const ${words.join('_').toUpperCase()} = 1;`)).toContain(phrase);
    expect(found('', `src/${words.join('-')}.ts`)).toContain(phrase);
  });

  test('is found over the line break of a comment, at the line where it starts', () => {
    const [finding] = findWords('a.ts', 'const a = 1;\n/**\n * Two wait in a\n * circle.\n */', AVOIDED);
    expect(finding).toMatchObject({ line: 3, found: 'in a circle', use: 'deadlock, lock order' });
  });

  test('is not found inside another word, nor across the end of a sentence', () => {
    expect(
      found('Strings, offspring, indoors, bathroom, endear, handshake, performance, invoice, Accept: */*.'),
    ).toEqual([]);
    expect(found('What the column is for. Who sent it?')).toEqual([]);
    expect(found('Locks in id order, which prevents deadlocks between tenants.')).toEqual([]);
  });
});

describe('a sentence of a comment', () => {
  test('must not have a bare "what" or "who" as its subject', () => {
    expect(found('/** What was sent. */')).toEqual(['What …']);
    expect(found('/**\n * Sent.\n * Who asks again waits.\n */')).toEqual(['Who …']);
    expect(found('const a = 1; // Logged. What failed is sent again.')).toEqual([]);
    expect(found('// Logged. What failed is sent again.')).toEqual(['What …']);
    expect(found('-- Who did it.', 'a.sql')).toEqual(['Who …']);
  });

  test('may ask, and documents may have headings', () => {
    expect(found('/** What is this? */')).toEqual([]);
    expect(found('/** The reason: what failed is sent again. */')).toEqual([]);
    expect(found('| What | Bound |\n\nWhat it costs.', 'a.md')).toEqual([]);
  });
});

describe('an allowed use', () => {
  const uses = AVOIDED.flatMap(({ find, allow = [] }) => allow.map((use) => ({ find, use })));

  test.each(uses)('of "$find" passes where it is right', ({ find, use }) => {
    const isPhrase = 'phrase' in use;
    const text = isPhrase ? use.phrase : phrasesOf(find)[0]?.join(' ');
    expect(found(`The ${text} here.`, isPhrase ? 'a.ts' : use.file.replace(/\/$/, '/a.ts'))).toEqual([]);
  });

  test('does not cover the word beside it', () => {
    expect(found('The door code opens the door.')).toEqual(['door']);
  });
});
