import { Badge } from '@mantine/core';
import type { InboxKind } from '@navette/contract';
import { INBOX_KINDS } from '@navette/contract/console-inbox-kinds';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './inbox.module.css';
import { type InboxFilter, LISTS } from './inbox-filter.ts';
import { KIND_LOOKS } from './kind-look.ts';

const KINDS = Object.keys(INBOX_KINDS) as InboxKind[];

/** The lists of the inbox, and the kinds with their counts as filters. */
export function InboxLists({ filter, counts }: { filter: InboxFilter; counts: Record<string, number> | undefined }) {
  const { t } = useTranslation('inbox');
  const kinds = useSeenKinds(filter, counts);
  const total = Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <div>
      <nav className={classes.kinds} aria-label={t('lists.label')}>
        {LISTS.map((list) => (
          <Link
            key={list}
            to="/"
            search={{ ...(list === 'now' ? {} : { list }), ...(filter.kind ? { kind: filter.kind } : {}) }}
            className={classes.chip}
            activeOptions={{ exact: true }}
          >
            {t(`lists.${list}`)}
          </Link>
        ))}
      </nav>
      <nav className={classes.kinds} aria-label={t('kindFilter')}>
        <Link
          to="/"
          search={filter.list ? { list: filter.list } : {}}
          className={classes.chip}
          activeOptions={{ exact: true }}
        >
          {t('allKinds')} <Count count={total} colour="gray" />
        </Link>
        {kinds.map((kind) => {
          const { icon: Icon, colour } = KIND_LOOKS[kind];
          const count = counts?.[kind] ?? 0;
          return (
            <Link
              key={kind}
              to="/"
              search={{ ...(filter.list ? { list: filter.list } : {}), kind }}
              className={classes.chip}
              activeOptions={{ exact: true }}
              data-empty={count === 0 || undefined}
            >
              <Icon size={16} stroke={1.6} aria-hidden />
              {t(`kinds.${kind}`)} <Count count={count} colour={count === 0 ? 'gray' : colour} />
            </Link>
          );
        })}
      </nav>
    </div>
  );
}

function Count({ count, colour }: { count: number; colour: string }) {
  return (
    <Badge size="sm" variant="light" color={colour} px={6} miw={22} style={{ fontVariantNumeric: 'tabular-nums' }}>
      {count}
    </Badge>
  );
}

/** Kinds with entries since the page was opened. One that becomes empty stays, so that no chip moves below the pointer. */
function useSeenKinds({ kind }: InboxFilter, counts: Record<string, number> | undefined): InboxKind[] {
  const [seen, setSeen] = useState<InboxKind[]>(kind ? [kind] : []);
  useEffect(() => {
    const present = KINDS.filter((one) => (counts?.[one] ?? 0) > 0);
    setSeen((before) => {
      const fresh = present.filter((one) => !before.includes(one));
      if (fresh.length === 0) return before;
      return before.length <= 1
        ? KINDS.filter((one) => before.includes(one) || fresh.includes(one))
        : [...before, ...fresh];
    });
  }, [counts]);
  return seen;
}
