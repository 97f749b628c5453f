import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './layout/page.css';
import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.ts';
import { startTranslations } from './i18n/start-translations.ts';
import { cssVariables, styleNonce, theme } from './layout/theme.ts';
import { router } from './router.tsx';

// A dialog keeps the page behind it still by a style tag of its own, and looks for the policy's value under this name.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

await startTranslations();
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
        <ModalsProvider>
          <Notifications position="bottom-right" />
          <RouterProvider router={router} />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
