import type { ReactNode } from 'react';
import { useText } from '../i18n/text.ts';
import { outboxStore, waitingIn } from '../outbox/outbox.ts';
import { reachableStore } from '../realtime/sync.ts';
import { usePath } from '../router.ts';
import { sessionStore } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import { Link } from './controls.tsx';
import { Icon, type IconName } from './icon.tsx';

interface ScreenProps {
  title: string;
  /** Where the back button leads; none on the pages of the menu. */
  back?: string;
  children: ReactNode;
  /** Stays at the bottom, under the thumb. */
  footer?: ReactNode;
}

/** The frame of every page: title, content, and either the menu or the page's own buttons at the bottom. */
export function Screen({ title, back, children, footer }: ScreenProps) {
  const { t } = useText();
  const isSignedIn = useStore(sessionStore) !== null;
  return (
    <div className="screen">
      <header>
        {back === undefined ? null : (
          <Link to={back} className="back">
            <Icon name="back" />
            <span className="only-read">{t.app.back}</span>
          </Link>
        )}
        <h1>{title}</h1>
      </header>
      {isSignedIn ? <OfflineBar /> : null}
      <main>{children}</main>
      {footer === undefined ? isSignedIn && back === undefined ? <Menu /> : null : <footer>{footer}</footer>}
    </div>
  );
}

function OfflineBar() {
  const { t } = useText();
  const isReachable = useStore(reachableStore);
  return (
    <div role="status">
      {isReachable ? null : (
        <p className="offline">
          <Icon name="offline" />
          <span>
            <strong>{t.app.offline}</strong> {t.app.offlineHint}
          </span>
        </p>
      )}
    </div>
  );
}

function Menu() {
  const { t } = useText();
  const path = usePath();
  const entries = useStore(outboxStore);
  const waiting = waitingIn(entries).length;
  const isRefused = entries.some(({ state }) => state === 'refused');
  const items: [path: string, icon: IconName, text: string][] = [
    ['/', 'home', t.menu.stops],
    ['/outbox', 'send', t.menu.outbox],
    ['/history', 'clock', t.menu.history],
    ['/settings', 'settings', t.menu.settings],
  ];
  return (
    <nav className="menu" aria-label={t.menu.label}>
      {items.map(([to, icon, text]) => (
        <Link key={to} to={to} aria-current={to === path ? 'page' : undefined}>
          <Icon name={icon} />
          <span>{text}</span>
          {to === '/outbox' && (waiting > 0 || isRefused) ? (
            <span className={isRefused ? 'count alert' : 'count'}>{isRefused ? '!' : waiting}</span>
          ) : null}
        </Link>
      ))}
    </nav>
  );
}
