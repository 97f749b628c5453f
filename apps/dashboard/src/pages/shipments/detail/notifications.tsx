import { Badge, Group, Stack, Text } from '@mantine/core';
import { Card } from '@navette/ui/parts/card.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../../session/session.ts';
import type { ShipmentDetail } from '../shipments-queries.ts';
import { ResendMessage } from './resend-message.tsx';

const GOOD = ['sent', 'delivered'];
const BAD = ['failed', 'dropped'];
const colourOf = (state: string) => (GOOD.includes(state) ? 'green' : BAD.includes(state) ? 'red' : 'gray');

/** Messages to the recipient and the collection contact, and webhook deliveries to the merchant's systems. */
export function Notifications({ detail: { shipment, messages, deliveries } }: { detail: ShipmentDetail }) {
  const { t } = useTranslation('shipment');
  const may = useMay();
  return (
    <>
      <Card title={t('messages')}>
        {messages.length === 0 && <Nothing>{t('noMessages')}</Nothing>}
        <Stack gap="sm">
          {messages.map((message) => (
            <div key={message.kind}>
              <Line
                what={t(`messageKinds.${message.kind}`)}
                detail={[message.to, message.resends > 0 && t('resentTimes', { count: message.resends })]
                  .filter(Boolean)
                  .join(' · ')}
                at={message.sentAt ?? message.createdAt}
                colour={message.status === 'dropped' ? 'gray' : colourOf(message.status)}
                state={t(`messageStates.${message.status}`)}
              />
              {message.text && <MessageText text={message.text} />}
              {message.mayResend && may('ship') && <ResendMessage shipmentId={shipment._id} kind={message.kind} />}
            </div>
          ))}
        </Stack>
      </Card>
      <Card title={t('webhooks')}>
        {deliveries.length === 0 && <Nothing>{t('noWebhooks')}</Nothing>}
        <Stack gap="sm">
          {deliveries.map((delivery) => (
            <Line
              key={`${delivery.eventId} ${delivery.webhookId}`}
              what={delivery.event}
              detail={[delivery.webhookUrl, t('attempts', { count: delivery.attempts })].filter(Boolean).join(' · ')}
              at={delivery.settledAt ?? delivery.createdAt}
              colour={colourOf(delivery.status)}
              state={t(`deliveryStates.${delivery.status}`)}
            />
          ))}
        </Stack>
      </Card>
    </>
  );
}

function MessageText({ text }: { text: string }) {
  const { t } = useTranslation('shipment');
  return (
    <Text component="details" size="xs" mt={4}>
      <summary>{t('messageText')}</summary>
      <Text size="xs" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    </Text>
  );
}

const Nothing = ({ children }: { children: ReactNode }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
);

interface LineProps {
  what: string;
  detail: string | null;
  at: string;
  colour: string;
  state: string;
}

function Line({ what, detail, at, colour, state }: LineProps) {
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start" gap="sm">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={600}>
          {what}
        </Text>
        <Text size="xs" c="dimmed">
          {detail && `${detail} · `}
          <When at={at} />
        </Text>
      </div>
      <Badge variant="light" color={colour} tt="none" style={{ flexShrink: 0 }}>
        {state}
      </Badge>
    </Group>
  );
}
