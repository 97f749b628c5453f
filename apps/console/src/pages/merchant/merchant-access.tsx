import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { MerchantPage } from '@navette/contract';
import { Card } from '@navette/ui/parts/card.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActFrame } from '../../acts/act-frame.tsx';
import { ResendEvents } from '../../acts/resend-events.tsx';
import { ResumeWebhook } from '../../acts/simple-acts.tsx';
import { useMay } from '../../session/session.ts';
import { EditButton } from './edit-button.tsx';
import { InviteMemberForm, RemoveMemberForm, ResetSecondFactorForm, RevokeKeyForm } from './member-forms.tsx';

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

/** Health of the webhooks. A paused one can be resumed; to an active one, lost events can be sent again. */
export function WebhooksCard({ webhooks }: { webhooks: Webhook[] }) {
  const { t } = useTranslation('merchant');
  const { t: tActs } = useTranslation('acts');
  const may = useMay();
  const [resumed, setResumed] = useState<Webhook | null>(null);
  const [resent, setResent] = useState<Webhook | null>(null);
  const close = () => {
    setResumed(null);
    setResent(null);
  };
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
              {webhook.isActive && may('support') && (
                <Button size="compact-xs" variant="default" onClick={() => setResent(webhook)}>
                  {t('webhooks.resend')}
                </Button>
              )}
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
      {resent && (
        <ActFrame title={tActs('resend.title', { title: resent.url })} isWide={false} onClose={close}>
          <ResendEvents
            subject={{ id: resent.id, title: resent.url, version: null }}
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
  const may = useMay();
  const nameOf = (name: string | null, hint: string) => `${name ?? t('keys.unnamed')} · …${hint}`;
  return (
    <Card title={t('keys.title')}>
      <Stack gap="sm">
        {keys.length === 0 && <Empty text={t('keys.empty')} />}
        {keys.map(({ id, name, hint, scopes, lastUsedAt, revokedAt }) => (
          <Line
            key={id}
            name={nameOf(name, hint)}
            detail={
              <>
                {scopes.join(', ')} · {lastUsedAt ? t('keys.used') : t('keys.neverUsed')}{' '}
                {lastUsedAt && <When at={lastUsedAt} />}
              </>
            }
          >
            <Group gap="xs" wrap="nowrap">
              <Badge variant="light" color={revokedAt ? 'gray' : 'green'} tt="none" style={{ flexShrink: 0 }}>
                {t(revokedAt ? 'keys.revoked' : 'keys.active')}
              </Badge>
              {may('support') && !revokedAt && (
                <EditButton isRed label={t('keys.revoke')} title={t('keys.revokeTitle', { name: nameOf(name, hint) })}>
                  {(close) => <RevokeKeyForm apiKey={{ id, name: nameOf(name, hint) }} onDone={close} />}
                </EditButton>
              )}
            </Group>
          </Line>
        ))}
      </Stack>
    </Card>
  );
}

interface MembersProps {
  accountId: string;
  isClosed: boolean;
  members: MerchantPage['members'];
}

/** People of the merchant who may sign in. */
export function MembersCard({ accountId, isClosed, members }: MembersProps) {
  const { t } = useTranslation('merchant');
  const may = useMay();
  return (
    <Card
      title={t('members.title')}
      aside={
        may('support') &&
        !isClosed && (
          <EditButton label={t('members.invite')} title={t('members.inviteTitle')}>
            {(close) => <InviteMemberForm accountId={accountId} onDone={close} />}
          </EditButton>
        )
      }
    >
      <Stack gap="sm">
        {members.length === 0 && <Empty text={t('members.empty')} />}
        {members.map((member) => {
          const { id, name, email, role, secondFactor, lastSeenAt } = member;
          return (
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
                {may('administer') && secondFactor && (
                  <EditButton label={t('members.reset')} title={t('members.resetTitle', { name })}>
                    {(close) => <ResetSecondFactorForm accountId={accountId} member={member} onDone={close} />}
                  </EditButton>
                )}
                {may('support') && (
                  <EditButton isRed label={t('members.remove')} title={t('members.removeTitle', { name })}>
                    {(close) => <RemoveMemberForm accountId={accountId} member={member} onDone={close} />}
                  </EditButton>
                )}
              </Group>
            </Line>
          );
        })}
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
