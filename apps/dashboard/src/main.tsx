import { startApp } from '@navette/ui/frame/start-app.tsx';
import icon from './layout/icon.svg';
import { router } from './router.tsx';
import { memberApi } from './session/member-api.ts';

await startApp({
  identity: { name: 'Navette', icon },
  texts: { fr: () => import('./i18n/fr/index.ts'), en: () => import('./i18n/en/index.ts') },
  person: memberApi,
  router,
});
