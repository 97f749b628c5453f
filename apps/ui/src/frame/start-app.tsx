import './mantine-styles.ts';
import '@mantine/notifications/styles.css';
import './page.css';
import { MantineProvider, type MantineThemeOverride } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../api/query-client.ts';
import { startTranslations, type TextLoaders } from '../i18n/start-translations.ts';
import { type PersonApi, PersonApiProvider } from '../session/person-api.ts';
import { type AppIdentity, AppIdentityProvider } from './app-identity.tsx';
import { printInLight } from './print-in-light.ts';
import { cssVariables, theme as ourTheme, styleNonce } from './theme.ts';

interface WebApp {
  identity: AppIdentity;
  texts: TextLoaders;
  person: PersonApi;
  router: AnyRouter;
  theme?: MantineThemeOverride;
}

/** Loads the texts of the preferred language, then renders the app. */
export async function startApp({ identity, texts, person, router, theme = ourTheme }: WebApp): Promise<void> {
  // Mantine's dialogs lock scrolling with a style tag of their own, and read its CSP nonce from this variable.
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
  printInLight();
  await startTranslations(texts);
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={styleNonce}
      >
        <QueryClientProvider client={queryClient}>
          <AppIdentityProvider value={identity}>
            <PersonApiProvider value={person}>
              <ModalsProvider>
                <Notifications position="bottom-right" />
                <RouterProvider router={router} />
              </ModalsProvider>
            </PersonApiProvider>
          </AppIdentityProvider>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
