import { buildPages } from '../../site/src/build-pages.ts';
import { LANGUAGES } from '../../site/src/site-pages.ts';

/** The address of every page that the site has. */
export const SITE_PATHS: string[] = [
  ...LANGUAGES.flatMap((language) => buildPages(language).map(({ id }) => `/docs/${language}/${id}`)),
  '/driver/docs',
];
