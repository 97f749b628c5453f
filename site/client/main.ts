import './site.css';
import { addCopyButtons } from './copy-code.ts';
import { startSearch } from './search.ts';
import { startTrials } from './trials.ts';

const texts = JSON.parse(document.body.dataset.texts ?? '{}') as Record<string, string>;
const text = (name: string): string => texts[name] ?? '';

addCopyButtons(text);
startSearch(text, document.body.dataset.search ?? '');
startTrials(text);
switchColours();
markSection();
rememberTasks();

function switchColours(): void {
  const root = document.documentElement;
  document.querySelector('.theme-button')?.addEventListener('click', () => {
    const isDark = getComputedStyle(root).colorScheme.includes('light dark')
      ? matchMedia('(prefers-color-scheme: dark)').matches
      : root.dataset.colours === 'dark';
    root.dataset.colours = isDark ? 'light' : 'dark';
    try {
      localStorage.setItem('navette-colours', root.dataset.colours);
    } catch {
      // storage is forbidden: the choice lasts for this page
    }
  });
}

/** On wide screens the contents are always open; the current section is marked while the reader scrolls. */
function markSection(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.contents a')].map((link) => [link.hash.slice(1), link]),
  );
  const wide = matchMedia('(min-width: 80rem)');
  const contents = document.querySelector<HTMLDetailsElement>('.contents details');
  const adapt = () => {
    if (contents) contents.open = wide.matches;
  };
  wide.addEventListener('change', adapt);
  adapt();
  const headings = [...links.keys()].flatMap((id) => document.getElementById(decodeURIComponent(id)) ?? []);
  const mark = () => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 130);
    const current = (passed.at(-1) ?? headings[0])?.id;
    for (const [id, link] of links) link.toggleAttribute('data-current', decodeURIComponent(id) === current);
  };
  document.addEventListener('scroll', mark, { passive: true });
  mark();
}

/** Ticked entries of a check list stay ticked in this browser. */
function rememberTasks(): void {
  const boxes = [...document.querySelectorAll<HTMLInputElement>('.task input')];
  if (boxes.length === 0) return;
  const name = `navette-tasks:${location.pathname.replace(/^\/docs\/\w+\//, '')}`; // one list for both languages
  try {
    const ticked = new Set((localStorage.getItem(name) ?? '').split(','));
    for (const [i, box] of boxes.entries()) box.checked = ticked.has(String(i));
    document.addEventListener('change', () => {
      localStorage.setItem(name, boxes.flatMap(({ checked }, i) => (checked ? [i] : [])).join(','));
    });
  } catch {
    // storage is forbidden: ticks last for this page
  }
}
