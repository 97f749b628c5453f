import { Text, ThemeIcon } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './search-list.module.css';

interface Props {
  icon: TablerIcon;
  /** Name of the icon, for screen readers. */
  kind: string;
  title: string;
  /** Facts that distinguish it from others. */
  facts?: string;
  /** At the right: a status, for example. */
  children?: ReactNode;
}

/** One item of a search. */
export function SearchRow({ icon: Icon, kind, title, facts, children }: Props) {
  return (
    <>
      <ThemeIcon variant="light" size={32} aria-label={kind} role="img">
        <Icon size={18} stroke={1.6} />
      </ThemeIcon>
      <div className={classes.what}>
        <Text size="sm" fw={600} truncate>
          {title}
        </Text>
        {facts && (
          <Text size="xs" c="dimmed" truncate>
            {facts}
          </Text>
        )}
      </div>
      {children}
    </>
  );
}
