import './styles/base.css';
import './styles/parts.css';
import './styles/pages.css';
import './styles/large-text.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { unlockSound } from './alerts/alert.ts';
import { App } from './app.tsx';
import { watchInstallation } from './device/install.ts';
import { registerWorker } from './device/updates.ts';
import { startTranslation } from './i18n/text.ts';
import { reloadOutbox } from './outbox/outbox.ts';
import { FailureBoundary } from './parts/failure.tsx';
import { refreshAfterPush, startSync } from './realtime/sync.ts';
import { navigate } from './router.ts';
import { reloadRuns } from './runs/runs.ts';
import { loadSession } from './session/session.ts';
import { applySettings } from './storage/settings.ts';

applySettings();
watchInstallation();
unlockSound();
startTranslation();
await loadSession();
await Promise.all([reloadOutbox(), reloadRuns()]); // the first page already shows what is stored
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <FailureBoundary>
      <App />
    </FailureBoundary>
  </StrictMode>,
);
startSync();
// After the first page: storing the files for offline use must not delay it.
if (document.readyState === 'complete') void registerWorker();
else addEventListener('load', () => void registerWorker());
// A notification was touched while the app was open.
navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<{ open?: string }>) => {
  if (!data.open) return;
  navigate(data.open);
  void refreshAfterPush();
});
