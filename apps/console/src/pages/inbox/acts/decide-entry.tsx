import { Text } from '@mantine/core';
import { LinesSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApprovalDecision } from '../../approvals/approval-decision.tsx';
import { approvalsQuery } from '../../approvals/approvals-query.ts';
import type { EntryActProps } from './entry-act-props.ts';

/** The request that waits for a second person, with its decision. */
export function DecideEntry({ entry, onDone }: EntryActProps) {
  const { t } = useTranslation('approvals');
  const query = useQuery(approvalsQuery);
  return (
    <Loaded query={query} skeleton={<LinesSkeleton h={160} />}>
      {({ approvals }) => {
        const approval = approvals.find(({ id }) => id === entry.subject.id);
        return approval ? (
          <ApprovalDecision approval={approval} onDone={onDone} />
        ) : (
          <Text data-autofocus tabIndex={-1}>
            {t('gone')}
          </Text>
        );
      }}
    </Loaded>
  );
}
