import { expect, test } from 'vitest';
import { searchDocumentsOf, textOf } from './search-documents.ts';

test('a page is searched by its sections, each with its own address', () => {
  const html =
    '<p>Begin</p><h2 id="one">One <a class="anchor" href="#one">#</a></h2><p>First &lt;b&gt;</p><h3 id="two">Two</h3><p>Second</p>';
  expect(searchDocumentsOf('Page', '/docs/en/page', html)).toEqual([
    { page: 'Page', title: '', url: '/docs/en/page', text: 'Begin' },
    { page: 'Page', title: 'One', url: '/docs/en/page#one', text: 'First <b>' },
    { page: 'Page', title: 'Two', url: '/docs/en/page#two', text: 'Second' },
  ]);
});

test('forms are no text, and words of neighbouring blocks stay apart', () => {
  expect(textOf('<li>a</li><li>b</li><form><input>key</form><pre>c</pre>')).toBe('a b c');
});
