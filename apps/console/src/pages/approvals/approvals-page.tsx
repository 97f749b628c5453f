import { Stack } from '@mantine/core';
import { Card } from '@navette/ui/parts/card.tsx';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { EmptyState } from '@navette/ui/parts/empty-state.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { IconUserCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApprovalDecision } from './approval-decision.tsx';
import { approvalsQuery } from './approvals-query.ts';

export default function ApprovalsPage() {
  const { t } = useTranslation('approvals');
  const query = useQuery(approvalsQuery);
  return (
    <>
      <PageTitle title={t('title')} text={t('text')} />
      <Loaded query={query} skeleton={<CardSkeleton h={240} />}>
        {({ approvals }) =>
          approvals.length === 0 ? (
            <EmptyState icon={IconUserCheck} title={t('empty.title')} text={t('empty.text')} />
          ) : (
            <Stack gap="lg" maw={880}>
              {approvals.map((approval) => (
                <Card key={approval.id} title={`${t(`acts.${approval.act}`)} · ${approval.subject.title}`}>
                  <ApprovalDecision approval={approval} />
                </Card>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </>
  );
}
