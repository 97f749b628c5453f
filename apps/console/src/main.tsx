import { startApp } from '@navette/ui/frame/start-app.tsx';
import icon from './layout/icon.svg';
import { theme } from './layout/theme.ts';
import { router } from './router.tsx';
import { staffApi } from './session/staff-api.ts';

await startApp({
  identity: { name: 'Navette Console', icon, suffix: 'Console' },
  texts: {
    fr: { first: () => import('./i18n/fr/index.ts') },
    en: { first: () => import('./i18n/en/index.ts') },
  },
  person: staffApi,
  router,
  theme,
});
