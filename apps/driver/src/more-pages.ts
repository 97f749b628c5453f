/** Pages that are loaded on demand, in one file. The service worker stores it, so they open without network. */
export { DiagnosisPage } from './pages/diagnosis/diagnosis-page.tsx';
export { EarningsPage } from './pages/earnings/earnings-page.tsx';
export { HistoryPage } from './pages/history/history-page.tsx';
export { ParcelScanPage } from './pages/scan/parcel-scan-page.tsx';
export { StopScanPage } from './pages/scan/stop-scan-page.tsx';
export { ForgottenPage } from './pages/session/forgotten-page.tsx';
export { WelcomePage } from './pages/session/welcome-page.tsx';
export { SettingsPage } from './pages/settings/settings-page.tsx';
export { StartPage } from './pages/start/start-page.tsx';
export { ProblemPage } from './pages/stop/problem-page.tsx';
export { ProofPage } from './pages/stop/proof-page.tsx';
