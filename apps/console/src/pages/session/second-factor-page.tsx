import { SecondFactorSetUp } from '@navette/ui/pages/profile/second-factor-set-up.tsx';
import { GuestCard } from '@navette/ui/pages/session/guest-card.tsx';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

/** Staff who sign in with a password set up a second factor before anything else. */
export default function SecondFactorPage() {
  const { t } = useTranslation('session');
  const navigate = useNavigate();
  return (
    <GuestCard title={t('setUp.title')} text={t('setUp.text')}>
      <SecondFactorSetUp onDone={() => void navigate({ to: '/' })} />
    </GuestCard>
  );
}
