import { Group } from '@mantine/core';
import { SearchButton } from '@navette/ui/frame/search-button.tsx';
import { openEntry } from '@navette/ui/frame/side-bar.tsx';
import { SignedInLayout } from '@navette/ui/frame/signed-in-layout.tsx';
import { EmptyState } from '@navette/ui/parts/empty-state.tsx';
import { IconLock } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay, useMaySee, useSession } from '../session/session.ts';
import { Bell } from './bell.tsx';
import { Help } from './help.tsx';
import classes from './member-layout.module.css';
import { ModeSwitch } from './mode-switch.tsx';
import { NAVIGATION } from './navigation.ts';
import { TestModeBanner } from './test-mode-banner.tsx';
import { ViewBanner } from './view-banner.tsx';

const loadPalette = () => import('../palette/palette-dialog.tsx');

/** Layout of every page of an account. */
export function MemberLayout() {
  const { t } = useTranslation('layout');
  const { account, member, mode, view } = useSession();
  const may = useMay();
  const maySee = useMaySee();
  const pathname = useLocation({ select: (location) => location.pathname });
  const page = openEntry<(typeof NAVIGATION)[number]['entries'][number]>(NAVIGATION, pathname);
  const isForbidden = page !== undefined && !maySee(page.needs); // a colleague sent its link, for example
  const role = t(`roles.${member.role}`);
  const navigation = NAVIGATION.map(({ section, entries }) => ({
    title: section && t(`sections.${section}`),
    entries: entries
      .filter(({ needs }) => maySee(needs))
      .map(({ to, label, icon }) => ({ to, label: t(`pages.${label}`), icon })),
  })).filter(({ entries }) => entries.length > 0);
  return (
    <SignedInLayout
      subtitle={account.name}
      tools={
        <Group gap="xs" ml="auto" wrap="nowrap" className={classes.tools ?? ''}>
          <SearchButton hint={t('palette.hint')} title={t('palette.title')} load={loadPalette} />
          {may('develop') && <ModeSwitch />}
          {!view && <Bell />}
        </Group>
      }
      banner={view ? <ViewBanner /> : mode === 'test' && <TestModeBanner />}
      isPersonShown={!view}
      navigation={navigation}
      help={<Help />}
      instead={
        isForbidden && <EmptyState icon={IconLock} title={t('forbidden.title')} text={t('forbidden.text', { role })} />
      }
      role={role}
    />
  );
}
