import { AppShell, Burger, Button, Container, Group, type MantineSize, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Brand } from './brand.tsx';
import { ColourSchemeSwitch } from './colour-scheme-switch.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { PageLoading } from './page-loading.tsx';
import { type NavigationSection, SideBar } from './side-bar.tsx';

interface Props {
  /** Beside the brand: the account. */
  subtitle?: ReactNode;
  /** Between brand and switches: the search. */
  tools?: ReactNode;
  /** Above every page. */
  banner?: ReactNode;
  navigation: NavigationSection[];
  /** Below the navigation: documentation, for example. */
  help?: ReactNode;
  /** Shown instead of the page. */
  instead?: ReactNode;
  /** The person's role, in words. */
  role: string;
  /** Profile and sign-out, below the navigation. */
  isPersonShown?: boolean;
  /** Widest page, in pixels. */
  size?: number;
  padding?: Partial<Record<MantineSize | 'base', string>>;
  /** Below this width, the navigation opens by a button. */
  sideBarFrom?: 'sm' | 'md';
}

const PADDING = { base: 'md', md: 'xl' };

/** Layout of every page that needs a session: navigation beside the page, or above it on a phone. */
export function SignedInLayout(props: Props) {
  const { subtitle, tools, banner, navigation, help, instead, role, isPersonShown = true } = props;
  const { size = 1120, padding = PADDING, sideBarFrom = 'sm' } = props;
  const { t } = useTranslation('layout');
  const [opened, { toggle, close }] = useDisclosure();
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 248, breakpoint: sideBarFrom, collapsed: { mobile: !opened } }}
      padding={padding}
    >
      <Button component="a" href="#page" className="skip-link">
        {t('skipToPage')}
      </Button>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom={sideBarFrom}
              size="sm"
              aria-label={t('menu')}
              aria-expanded={opened}
            />
            <Brand isShort />
            {subtitle && (
              <Text c="dimmed" truncate visibleFrom="sm">
                {subtitle}
              </Text>
            )}
          </Group>
          {tools}
          <Group gap="xs" wrap="nowrap" visibleFrom={sideBarFrom}>
            <LanguageSwitch />
            <ColourSchemeSwitch />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label={t('menu')} className={`menu-${sideBarFrom}`} data-open={opened || undefined}>
        <SideBar navigation={navigation} role={isPersonShown ? role : null} onChosen={close} help={help}>
          <Group gap="xs" px="xs" pt="xs" hiddenFrom={sideBarFrom}>
            <LanguageSwitch />
            <ColourSchemeSwitch />
          </Group>
        </SideBar>
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1}>
        <Container size={size} p={0}>
          {banner}
          {instead || (
            <Suspense fallback={<PageLoading />}>
              <Outlet />
            </Suspense>
          )}
        </Container>
      </AppShell.Main>
    </AppShell>
  );
}
