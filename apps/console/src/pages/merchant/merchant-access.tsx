import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { MerchantPage } from '@navette/contract';
import { Card } from '@navette/ui/parts/card.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../session/session.ts';
import { ActFrame } from '../inbox/acts/act-dialog.tsx';
import { ResumeWebhook } from '../inbox/acts/simple-acts.tsx';

/** A line of a card: a name with details below, badges and buttons at its end. */
function Line({ name, detail, children }: { name: ReactNode; detail: ReactNode; children?: ReactNode }) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {detail}
        </Text>
      </div>
      {children}
    </Group>
  );
}

const Empty = ({ text }: { text: string }) => (
  <Text size="sm" c="dimmed">
    {text}
  </Text>
);

type Webhook = MerchantPage['webhooks'][number];

/** Health of the webhooks; a paused one can be resumed. */
export function WebhooksCard({ webhooks }: { webhooks: Webhook[] }) {
  const { t } = useTranslation('merchant');
  const { t: tActs } = useTranslation('acts');
  const may = useMay();
  const [resumed, setResumed] = useState<Webhook | null>(null);
  const close = () => setResumed(null);
  return (
    <Card title={t('webhooks.title')}>
      <Stack gap="sm">
        {webhooks.length === 0 && <Empty text={t('webhooks.empty')} />}
        {webhooks.map((webhook) => (
          <Line
            key={webhook.id}
            name={webhook.url}
            detail={t('webhooks.health', { delivered: webhook.delivered, dropped: webhook.dropped })}
          >
            <Group gap="xs" wrap="nowrap">
              <WebhookState webhook={webhook} />
              {webhook.pausedAt && may('support') && (
                <Button size="compact-xs" variant="default" onClick={() => setResumed(webhook)}>
                  {t('webhooks.resume')}
                </Button>
              )}
            </Group>
          </Line>
        ))}
      </Stack>
      {resumed && (
        <ActFrame title={tActs('titles.resume_webhook', { title: resumed.url })} isWide={false} onClose={close}>
          <ResumeWebhook
            subject={{ id: resumed.id, title: resumed.url, version: null }}
            why={null}
            onDone={close}
            onConflict={() => {}}
          />
        </ActFrame>
      )}
    </Card>
  );
}

function WebhookState({ webhook: { isActive, pausedAt, failingSince } }: { webhook: Webhook }) {
  const { t } = useTranslation('merchant');
  const [state, colour] = pausedAt
    ? (['paused', 'red'] as const)
    : failingSince
      ? (['failing', 'orange'] as const)
      : isActive
        ? (['active', 'green'] as const)
        : (['inactive', 'gray'] as const);
  return (
    <Badge variant="light" color={colour} tt="none">
      {t(`webhooks.states.${state}`)}
    </Badge>
  );
}

/** API keys, by name and last characters. */
export function KeysCard({ keys }: { keys: MerchantPage['keys'] }) {
  const { t } = useTranslation('merchant');
  return (
    <Card title={t('keys.title')}>
      <Stack gap="sm">
        {keys.length === 0 && <Empty text={t('keys.empty')} />}
        {keys.map(({ id, name, hint, scopes, lastUsedAt, revokedAt }) => (
          <Line
            key={id}
            name={`${name ?? t('keys.unnamed')} · …${hint}`}
            detail={
              <>
                {scopes.join(', ')} · {lastUsedAt ? t('keys.used') : t('keys.neverUsed')}{' '}
                {lastUsedAt && <When at={lastUsedAt} />}
              </>
            }
          >
            <Badge variant="light" color={revokedAt ? 'gray' : 'green'} tt="none" style={{ flexShrink: 0 }}>
              {t(revokedAt ? 'keys.revoked' : 'keys.active')}
            </Badge>
          </Line>
        ))}
      </Stack>
    </Card>
  );
}

/** People of the merchant who may sign in. */
export function MembersCard({ members }: { members: MerchantPage['members'] }) {
  const { t } = useTranslation('merchant');
  return (
    <Card title={t('members.title')}>
      <Stack gap="sm">
        {members.length === 0 && <Empty text={t('members.empty')} />}
        {members.map(({ id, name, email, role, secondFactor, lastSeenAt }) => (
          <Line
            key={id}
            name={name}
            detail={
              <>
                {email} · {lastSeenAt ? <When at={lastSeenAt} /> : t('members.neverSeen')}
              </>
            }
          >
            <Group gap={6} wrap="nowrap">
              {secondFactor && (
                <Badge variant="light" color="green" tt="none">
                  {t('members.secondFactor')}
                </Badge>
              )}
              <Badge variant="light" tt="none">
                {t(`members.roles.${role as 'owner'}`, { defaultValue: role })}
              </Badge>
            </Group>
          </Line>
        ))}
      </Stack>
    </Card>
  );
}

/** The latest requests that were refused. */
export function ErrorsCard({ errors }: { errors: MerchantPage['errors'] }) {
  const { t } = useTranslation('merchant');
  return (
    <Card title={t('errors.title')}>
      <Stack gap="sm">
        {errors === null && <Empty text={t('errors.away')} />}
        {errors?.length === 0 && <Empty text={t('errors.empty')} />}
        {errors?.map(({ at, requestId, method, route, status, error, fields }) => (
          <Line
            key={requestId}
            name={`${method} ${route}`}
            detail={
              <>
                <When at={at} as="dateTimeSeconds" /> ·{' '}
                {[error, fields.join(', '), requestId].filter(Boolean).join(' · ')}
              </>
            }
          >
            <Badge variant="light" color={status >= 500 ? 'red' : 'orange'} style={{ flexShrink: 0 }}>
              {status}
            </Badge>
          </Line>
        ))}
      </Stack>
    </Card>
  );
}
