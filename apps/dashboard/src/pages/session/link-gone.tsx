import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AnchorLink, ButtonLink } from '../../shared/links.tsx';
import { GuestCard } from './guest-card.tsx';

/** For a link that was used, or is too old, or was cut by a mail program. */
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

/** What a link carries in its fragment, which no server sees. */
export const readLinkToken = (): string => window.location.hash.slice(1);
