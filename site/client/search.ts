import MiniSearch from 'minisearch';
import type { SearchDocument } from '../src/search-documents.ts';

const MOST_RESULTS = 12;
const EXCERPT_CHARACTERS = 150;

type Found = Omit<SearchDocument, 'id'>;

/** Without accents, so that `etiquette` finds `étiquette`. */
const plain = (term: string) => term.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** The search dialog: opened by its button, `/` or Ctrl K; the index is loaded then. */
export function startSearch(text: (name: string) => string, indexUrl: string): void {
  const button = document.querySelector<HTMLButtonElement>('.search-button');
  if (!button || indexUrl === '') return;
  let documents: Promise<{ list: Found[]; index: MiniSearch }> | undefined;
  const { dialog, input, list, status } = createDialog(text);
  let chosen = -1;

  function open(): void {
    documents ??= loadIndex(indexUrl);
    if (!dialog.open) dialog.showModal();
    input.select();
  }

  function choose(next: number): void {
    const options = [...list.children];
    chosen = options.length === 0 ? -1 : (next + options.length) % options.length;
    for (const [i, option] of options.entries()) option.setAttribute('aria-selected', String(i === chosen));
    const current = options[chosen];
    input.setAttribute('aria-activedescendant', current?.id ?? '');
    current?.scrollIntoView({ block: 'nearest' });
  }

  async function search(): Promise<void> {
    const query = input.value.trim();
    const { list: all, index } = await (documents ?? Promise.reject(new Error('closed')));
    if (query !== input.value.trim()) return; // a later search has replaced this one
    const found = query === '' ? [] : index.search(query).slice(0, MOST_RESULTS);
    list.replaceChildren(...found.map(({ id }, i) => optionOf(all[id as number] as Found, i, query)));
    const count = text('searchCount').replace('{n}', String(found.length));
    status.textContent = query === '' ? text('searchKeys') : found.length === 0 ? text('searchNone') : count;
    input.setAttribute('aria-expanded', String(found.length > 0));
    choose(0);
  }

  button.addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    const isCommand = (event.ctrlKey || event.metaKey) && event.key === 'k';
    if (!isCommand && (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    open();
  });
  input.addEventListener('input', () => void search());
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(chosen + 1);
    else if (event.key === 'ArrowUp') choose(chosen - 1);
    else if (event.key === 'Enter') list.children[chosen]?.querySelector('a')?.click();
    else return;
    event.preventDefault();
  });
  list.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close(); // beside it
  });
}

async function loadIndex(url: string) {
  const list = (await (await fetch(url)).json()) as Found[];
  const index = new MiniSearch<SearchDocument>({
    fields: ['title', 'page', 'text'],
    processTerm: (term) => plain(term),
    searchOptions: {
      boost: { title: 4, page: 2 },
      prefix: true,
      weights: { prefix: 0.8, fuzzy: 0.2 },
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
    },
  });
  index.addAll(list.map((document, id) => ({ ...document, id })));
  return { list, index };
}

function createDialog(text: (name: string) => string) {
  const dialog = document.createElement('dialog');
  dialog.className = 'search';
  dialog.setAttribute('aria-label', text('search'));
  const input = document.createElement('input');
  input.type = 'search';
  input.placeholder = text('searchHint');
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-label': text('searchHint'),
    'aria-expanded': 'false',
    'aria-controls': 'search-results',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
  }))
    input.setAttribute(name, value);
  const list = document.createElement('ul');
  list.id = 'search-results';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', text('search'));
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  status.textContent = text('searchKeys');
  dialog.append(input, list, status);
  document.body.append(dialog);
  return { dialog, input, list, status };
}

function optionOf({ page, title, url, text }: Found, position: number, query: string): HTMLLIElement {
  const option = document.createElement('li');
  option.id = `search-${position}`;
  option.setAttribute('role', 'option');
  const link = document.createElement('a');
  link.href = url;
  link.tabIndex = -1;
  const [heading, where, excerpt] = [
    document.createElement('strong'),
    document.createElement('em'),
    document.createElement('span'),
  ];
  heading.textContent = title || page;
  where.textContent = title ? page : '';
  excerpt.textContent = excerptOf(text, query);
  link.append(heading, where, excerpt);
  option.append(link);
  return option;
}

/** The text around the first word of the query. */
function excerptOf(text: string, query: string): string {
  const at = plain(text).indexOf(plain(query.split(/\s+/)[0] ?? ''));
  const start = Math.max(0, at - 40);
  return `${start > 0 ? '… ' : ''}${text.slice(start, start + EXCERPT_CHARACTERS)}${text.length > start + EXCERPT_CHARACTERS ? ' …' : ''}`;
}
