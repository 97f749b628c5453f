import { AppShell, NavLink, ScrollArea, Text } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PersonMenu } from './person-menu.tsx';

export interface NavigationSection {
  /** Null for the first entries, which have no heading. */
  title: string | null;
  entries: { to: string; label: string; icon: TablerIcon /** A count, for example. */; aside?: ReactNode }[];
}

interface Props {
  navigation: NavigationSection[];
  /** Null: no menu of the person. */
  role: string | null;
  onChosen: () => void;
  /** Below the entries. */
  help?: ReactNode;
  /** Below that, above the menu of the person: on a phone, the switches that the header has no room for. */
  children?: ReactNode;
}

/** The active entry is the one with the longest path that the current path starts with. */
export function openEntry<Entry extends { to: string }>(
  navigation: readonly { entries: readonly Entry[] }[],
  pathname: string,
): Entry | undefined {
  const entries = navigation.flatMap((section) => section.entries);
  const fitting = entries.filter(({ to }) => pathname === to || (to !== '/' && pathname.startsWith(`${to}/`)));
  return fitting.toSorted((a, b) => b.to.length - a.to.length)[0];
}

export function SideBar({ navigation, role, onChosen, help, children }: Props) {
  const pathname = useLocation({ select: (location) => location.pathname });
  const open = openEntry(navigation, pathname)?.to;
  return (
    <>
      <AppShell.Section grow component={ScrollArea} type="auto" scrollbarSize={6}>
        {navigation.map(({ title, entries }) => (
          <div key={title}>
            {title && (
              <Text size="xs" fw={600} c="dimmed" px="sm" pt="lg" pb={6}>
                {title}
              </Text>
            )}
            {entries.map(({ to, label, icon: Icon, aside }) => (
              <NavLink
                key={to}
                renderRoot={(props) => <Link to={to as '/'} activeOptions={{ exact: true }} {...props} />}
                label={label}
                leftSection={<Icon size={18} stroke={1.6} />}
                rightSection={aside}
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
      {help && (
        <AppShell.Section pt={6} style={{ borderTop: '1px solid var(--mantine-color-default-border)' }}>
          {help}
        </AppShell.Section>
      )}
      {children && <AppShell.Section>{children}</AppShell.Section>}
      {role !== null && (
        <AppShell.Section pt="sm">
          <PersonMenu role={role} />
        </AppShell.Section>
      )}
    </>
  );
}
