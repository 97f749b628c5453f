import '@navette/ui/fonts/inter.css';
import { startApp } from '@navette/ui/frame/start-app.tsx';
import icon from './layout/icon.svg';
import { router } from './router.tsx';
import { memberApi } from './session/member-api.ts';

await startApp({
  identity: { name: 'Navette', icon },
  texts: {
    fr: { first: () => import('./i18n/fr/first.ts'), more: () => import('./i18n/fr/more.ts') },
    en: { first: () => import('./i18n/en/first.ts'), more: () => import('./i18n/en/more.ts') },
  },
  person: memberApi,
  router,
});
