import { AppShell, NavLink, ScrollArea, Text } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../session/session.ts';
import { MemberMenu } from './member-menu.tsx';
import { NAVIGATION } from './navigation.ts';

/** The longest entry that the address starts with is the one that is open. */
function openEntry(pathname: string): string {
  const entries = NAVIGATION.flatMap(({ entries }) => entries.map(({ to }): string => to));
  const fitting = entries.filter((to) => pathname === to || (to !== '/' && pathname.startsWith(`${to}/`)));
  return fitting.toSorted((a, b) => b.length - a.length)[0] ?? '';
}

export function SideBar({ onChosen }: { onChosen: () => void }) {
  const { t } = useTranslation('layout');
  const may = useMay();
  const open = openEntry(useLocation({ select: ({ pathname }) => pathname }));
  return (
    <>
      <AppShell.Section grow component={ScrollArea} type="auto" scrollbarSize={6}>
        {NAVIGATION.map(({ section, entries }) => (
          <div key={section}>
            {section && (
              <Text size="xs" fw={600} c="dimmed" px="sm" pt="lg" pb={6}>
                {t(`sections.${section}`)}
              </Text>
            )}
            {entries
              .filter(({ needs }) => may(needs))
              .map(({ to, word, icon: Icon }) => (
                <NavLink
                  key={to}
                  renderRoot={(props) => <Link to={to} activeOptions={{ exact: true }} {...props} />}
                  label={t(`pages.${word}`)}
                  leftSection={<Icon size={18} stroke={1.6} />}
                  active={to === open}
                  aria-current={to === open ? 'page' : undefined}
                  variant="light"
                  onClick={onChosen}
                  styles={{ root: { borderRadius: 'var(--mantine-radius-md)' } }}
                />
              ))}
          </div>
        ))}
      </AppShell.Section>
      <AppShell.Section pt="sm">
        <MemberMenu />
      </AppShell.Section>
    </>
  );
}
