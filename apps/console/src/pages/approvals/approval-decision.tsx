import { Alert, Button, Group, SimpleGrid, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Approval } from '@navette/contract';
import { APPROVAL_NEEDS } from '@navette/contract/console-roles';
import { queryClient } from '@navette/ui/api/query-client.ts';
import { Fact } from '@navette/ui/parts/fact.tsx';
import { Form } from '@navette/ui/parts/form.tsx';
import { Money } from '@navette/ui/parts/money.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { IconInfoCircle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActFailure } from '../../acts/act-failure.tsx';
import { ReasonField } from '../../acts/reason-field.tsx';
import { call } from '../../api/call.ts';
import { useMay, useSession } from '../../session/session.ts';

interface Props {
  approval: Approval;
  onDone?: () => void;
}

/** One request that waits for a second person: facts, and approve or decline. */
export function ApprovalDecision({ approval, onDone }: Props) {
  const { t } = useTranslation('approvals');
  const [reason, setReason] = useState('');
  const isOwn = useSession().staff.id === approval.requestedBy.id;
  const may = useMay()(APPROVAL_NEEDS[approval.act]);
  const decide = useMutation({
    mutationFn: (approve: boolean) =>
      call('decideApproval', {
        params: { id: approval.id },
        body: { approve, ...(reason.trim() ? { reason: reason.trim() } : {}) },
      }),
    onSuccess: (_answer, approve) => {
      notifications.show({ color: 'green', message: t(approve ? 'approved' : 'declined') });
      onDone?.();
    },
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: ['approvals'] });
      await queryClient.invalidateQueries({ queryKey: ['inbox'] });
    },
  });
  const { act, subject, amount, requestedBy, requestedAt } = approval;
  return (
    <Form onSubmit={(event) => event.preventDefault()}>
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2 }} m={0} spacing="sm" verticalSpacing="xs">
        <Fact label={t('act')}>{t(`acts.${act}`)}</Fact>
        <Fact label={t(`subjects.${subject.type}`)}>{subject.title}</Fact>
        {amount !== null && (
          <Fact label={t('amount')}>
            <Money euros={amount} />
          </Fact>
        )}
        <Fact label={t('requestedBy')}>
          {requestedBy.name}, <When at={requestedAt} />
        </Fact>
        <Fact label={t('reason')}>{approval.reason}</Fact>
      </SimpleGrid>
      {isOwn || !may ? (
        <Alert variant="light" icon={<IconInfoCircle />} data-autofocus tabIndex={-1}>
          {isOwn ? t('own') : t('notAllowed')}
        </Alert>
      ) : (
        <>
          <Text size="sm">{t(`outcome.${act}`)}</Text>
          <ReasonField label={t('note')} isRequired={false} isFirst value={reason} onChange={setReason} />
          <ActFailure error={decide.error} />
          <Group>
            <Button loading={decide.isPending && decide.variables} onClick={() => decide.mutate(true)}>
              {t('approve')}
            </Button>
            <Button
              variant="default"
              loading={decide.isPending && !decide.variables}
              onClick={() => decide.mutate(false)}
            >
              {t('decline')}
            </Button>
          </Group>
        </>
      )}
    </Form>
  );
}
