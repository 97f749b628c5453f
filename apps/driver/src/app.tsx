import { lazy, Suspense, useEffect, useState } from 'react';
import { subscribeToPushes } from './device/push.ts';
import { installUpdate, updateStore } from './device/updates.ts';
import { useText } from './i18n/text.ts';
import { followLocation } from './location/location.ts';
import { offersStore } from './offers/offers.ts';
import { HomePage, useAvailability } from './pages/home/home-page.tsx';
import { OfferPage } from './pages/offer/offer-page.tsx';
import { OutboxPage } from './pages/outbox/outbox-page.tsx';
import { SignInPage } from './pages/session/sign-in-page.tsx';
import { CodePage } from './pages/stop/code-page.tsx';
import { StopPage } from './pages/stop/stop-page.tsx';
import { Button, ButtonLink } from './parts/controls.tsx';
import { Loading } from './parts/loading.tsx';
import { Screen } from './parts/screen.tsx';
import { usePath } from './router.ts';
import { isCarrying, type RunView } from './runs/run-view.ts';
import { useRun, useRuns } from './runs/use-route.ts';
import { sessionStore } from './session/session.ts';
import { useStore } from './state/store.ts';
import { settingsStore } from './storage/settings.ts';

// Pages that a delivery does not need come in one more file.
const lazyPage = <P extends object>(load: (pages: typeof import('./more-pages.ts')) => React.ComponentType<P>) =>
  lazy(async () => ({ default: load(await import('./more-pages.ts')) }));
const DiagnosisPage = lazyPage((pages) => pages.DiagnosisPage);
const EarningsPage = lazyPage((pages) => pages.EarningsPage);
const ForgottenPage = lazyPage((pages) => pages.ForgottenPage);
const HistoryPage = lazyPage((pages) => pages.HistoryPage);
const ParcelScanPage = lazyPage((pages) => pages.ParcelScanPage);
const ProblemPage = lazyPage((pages) => pages.ProblemPage);
const ProofPage = lazyPage((pages) => pages.ProofPage);
const SettingsPage = lazyPage((pages) => pages.SettingsPage);
const StartPage = lazyPage((pages) => pages.StartPage);
const StopScanPage = lazyPage((pages) => pages.StopScanPage);
const WelcomePage = lazyPage((pages) => pages.WelcomePage);

/** Pages in which the driver deals with a person: an offer waits as a banner, an update is not mentioned. */
const AT_A_STOP = /^\/stop\/[^/]+\/|^\/scan$/;
const IN_A_RUN = /^\/(stop|scan)/;

export function App() {
  return (
    <Suspense fallback={<Loading />}>
      <Page />
    </Suspense>
  );
}

function Page() {
  const path = usePath();
  const isSignedIn = useStore(sessionStore) !== null;
  if (path === '/welcome') return <WelcomePage />;
  if (!isSignedIn) return path === '/forgotten' ? <ForgottenPage /> : <SignInPage />;
  return <SignedIn path={path} />;
}

function SignedIn({ path }: { path: string }) {
  const { isPrepared } = useStore(settingsStore);
  const offers = useStore(offersStore);
  const runs = useRuns();
  const isAvailable = useAvailability();
  const isNeeded = isAvailable || runs.some(({ shipment }) => isCarrying(shipment) || shipment.status === 'assigned');
  useEffect(() => followLocation(isNeeded && isPrepared), [isNeeded, isPrepared]);
  useEffect(() => () => followLocation(false), []);
  useEffect(() => void subscribeToPushes().catch(() => {}), []);

  if (!isPrepared || path === '/start') return <StartPage />;
  const offer = offers.find(({ shipping }) => path === `/offer/${shipping.id}`) ?? offers[0]; // the touched notification's
  if (offer && !AT_A_STOP.test(path))
    return <OfferPage key={offer.shipping.id} offer={offer} others={offers.length - 1} />;
  return (
    <>
      {offer ? <OfferBanner /> : null}
      {IN_A_RUN.test(path) ? null : <UpdateBanner />}
      <Route path={path} />
    </>
  );
}

function Route({ path }: { path: string }) {
  const { t } = useText();
  const [, id, part] = /^\/stop\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? [];
  if (id !== undefined) return part === undefined ? <StopPage id={id} /> : <RunPage key={path} id={id} part={part} />;
  switch (path) {
    case '/':
      return <HomePage />;
    case '/outbox':
      return <OutboxPage />;
    case '/history':
      return <HistoryPage />;
    case '/earnings':
      return <EarningsPage />;
    case '/settings':
      return <SettingsPage />;
    case '/diagnosis':
      return <DiagnosisPage />;
    case '/scan':
      return <ParcelScanPage />;
    default:
      // A notification opens /offer/<id>; by the time it is read, the offer may be over.
      return path.startsWith('/offer/') ? <HomePage /> : <NotFoundPage text={t.app.notFound} />;
  }
}

const RUN_PAGES: Record<string, React.ComponentType<{ run: RunView }>> = {
  code: CodePage,
  scan: StopScanPage,
  proof: ProofPage,
  problem: ProblemPage,
};

function RunPage({ id, part }: { id: string; part: string }) {
  const run = useRun(id);
  const Found = RUN_PAGES[part];
  // While a code is checked, the run already counts as delivered: the page stays, to show the answer.
  const [wasDelivered] = useState(run?.shipment.status === 'delivered');
  if (!Found || !run || (wasDelivered && part !== 'proof')) return <StopPage id={id} />;
  return <Found run={run} />;
}

function NotFoundPage({ text }: { text: string }) {
  const { t } = useText();
  return (
    <Screen title={t.app.name}>
      <p>{text}</p>
      <ButtonLink to="/" look="main">
        {t.app.toStops}
      </ButtonLink>
    </Screen>
  );
}

function OfferBanner() {
  const { t } = useText();
  return (
    <div className="banner" role="status">
      <strong>{t.offer.banner}</strong>
      <ButtonLink to="/">{t.offer.see}</ButtonLink>
    </div>
  );
}

function UpdateBanner() {
  const { t } = useText();
  if (!useStore(updateStore)) return null;
  return (
    <div className="banner" role="status">
      <span>{t.app.newVersion}</span>
      <Button onClick={installUpdate}>{t.app.newVersionInstall}</Button>
    </div>
  );
}
