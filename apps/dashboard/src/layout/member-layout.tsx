import { SignedInLayout } from '@navette/ui/frame/signed-in-layout.tsx';
import { useTranslation } from 'react-i18next';
import { useMay, useSession } from '../session/session.ts';
import { NAVIGATION } from './navigation.ts';

/** Layout of every page of an account. */
export function MemberLayout() {
  const { t } = useTranslation('layout');
  const { account, member } = useSession();
  const may = useMay();
  const navigation = NAVIGATION.map(({ section, entries }) => ({
    title: section && t(`sections.${section}`),
    entries: entries
      .filter(({ needs }) => may(needs))
      .map(({ to, label, icon }) => ({ to, label: t(`pages.${label}`), icon })),
  }));
  return <SignedInLayout subtitle={account.name} navigation={navigation} role={t(`roles.${member.role}`)} />;
}
