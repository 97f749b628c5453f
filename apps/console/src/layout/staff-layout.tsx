import { SearchButton } from '@navette/ui/frame/search-button.tsx';
import { SignedInLayout } from '@navette/ui/frame/signed-in-layout.tsx';
import { useTranslation } from 'react-i18next';
import { useMay, useSession } from '../session/session.ts';
import { NAVIGATION } from './navigation.ts';

const WIDEST = 1880; // px: a 27-inch screen shows the inbox on one line per entry, and lines stay readable

const loadSearch = () => import('../search/search-dialog.tsx');

/** Layout of every page of the console. */
export function StaffLayout() {
  const { t } = useTranslation('layout');
  const { t: tSearch } = useTranslation('search');
  const { staff } = useSession();
  const may = useMay();
  const navigation = NAVIGATION.map(({ section, entries }) => ({
    title: section && t(`sections.${section}`),
    entries: entries
      .filter(({ needs }) => may(needs))
      .map(({ to, label, icon }) => ({ to, label: t(`pages.${label}`), icon })),
  }));
  return (
    <SignedInLayout
      tools={<SearchButton hint={tSearch('hint')} title={tSearch('title')} load={loadSearch} />}
      navigation={navigation}
      role={t(`roles.${staff.role}`)}
      size={WIDEST}
      sideBarFrom="md"
      padding={{ base: 'md', lg: 'lg' }}
    />
  );
}
