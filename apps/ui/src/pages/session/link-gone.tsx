import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AnchorLink, ButtonLink } from '../../parts/links.tsx';
import { GuestCard } from './guest-card.tsx';

/** Shown for a link that was used, has expired, or was truncated by a mail program. */
export function LinkGone({ children }: { children: ReactNode }) {
  const { t } = useTranslation('session');
  return (
    <GuestCard title={t('linkGone')} text={t('linkGoneText')}>
      {children}
      <AnchorLink to="/sign-in" size="sm">
        {t('forgotten.back')}
      </AnchorLink>
    </GuestCard>
  );
}

export function AskAgain() {
  const { t } = useTranslation('session');
  return <ButtonLink to="/forgotten-password">{t('reset.askAgain')}</ButtonLink>;
}

/** The token in the fragment of the URL, which browsers do not send to servers. */
export const readLinkToken = (): string => window.location.hash.slice(1);
