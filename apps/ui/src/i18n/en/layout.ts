import type fr from '../fr/layout.ts';
import type { Texts } from '../texts.ts';

const layout: Texts<typeof fr> = {
  menu: 'Menu',
  skipToPage: 'Skip to content',
  signOut: 'Sign out',
  profile: 'My profile',
  useLightColours: 'Switch to light theme',
  useDarkColours: 'Switch to dark theme',
  notFound: {
    title: 'Page not found',
    text: 'The address may be incomplete, or the page may no longer exist.',
    back: 'Back to the home page',
  },
};
export default layout;
