import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { ApiError } from '@navette/ui/api-error';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { IconEye } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../api/call.ts';
import { sessionQuery, useSession } from '../session/session.ts';
import classes from './view-banner.module.css';

const CHECK_MS = 10_000; // a view that ended elsewhere leaves the screen within this time

/** Above every page while a staff member of the operator views the dashboard: who, until when, and the way out. */
export function ViewBanner() {
  const { t } = useTranslation('layout');
  const format = useFormat();
  const explain = useExplainError();
  const { account, view, expiresAt } = useSession();
  const [shown] = useState(account.id);
  const { error } = useQuery({ ...sessionQuery, staleTime: 0, refetchInterval: CHECK_MS });
  const isOver = error instanceof ApiError && error.status === 401;
  const ending = useMutation({
    mutationFn: () => call('endView'),
    onSuccess: () => leaveView(account.id),
    onError: (failure) => notifications.show({ color: 'red', message: explain(failure) }), // the view is still open
  });
  useEffect(() => {
    if (isOver) leaveView(shown);
  }, [isOver, shown]);
  useEffect(() => {
    // Another view was started in this browser: nothing of this one may stay on the screen.
    if (account.id !== shown) window.location.reload();
  }, [account.id, shown]);
  if (!view) return null;
  return (
    <Group role="status" className={classes.banner} justify="space-between" gap="xs" wrap="wrap">
      <Group gap="xs" wrap="nowrap" style={{ minWidth: 0 }}>
        <IconEye size={20} stroke={1.8} style={{ flexShrink: 0 }} />
        <div style={{ minWidth: 0 }}>
          <Text size="sm" fw={650}>
            {t('view.title', { account: account.name })}
          </Text>
          <Text size="sm">{t('view.text', { name: view.by, time: format.time(expiresAt), reason: view.reason })}</Text>
        </div>
      </Group>
      <Button size="xs" variant="white" color="dark" loading={ending.isPending} onClick={() => ending.mutate()}>
        {t('view.end')}
      </Button>
    </Group>
  );
}

/** A new page, so that nothing of the merchant stays in memory. */
export const leaveView = (accountId: string): void => window.location.assign(`/console/merchants/${accountId}`);
