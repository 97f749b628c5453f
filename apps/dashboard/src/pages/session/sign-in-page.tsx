import { SignIn } from '@navette/ui/pages/session/sign-in.tsx';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PasskeyButton } from './passkey-button.tsx';

export default function SignInPage() {
  const { t } = useTranslation('session');
  const { next } = useSearch({ from: '/guest/sign-in' });
  return (
    <SignIn next={next} note={t('signIn.firstTime')} below={(onEntered) => <PasskeyButton onEntered={onEntered} />} />
  );
}
