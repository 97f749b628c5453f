import { Badge, Button, Group, Stack, Switch, Text } from '@mantine/core';
import type { OptionalMessage } from '@navette/contract';
import { Card } from '@navette/ui/parts/card.tsx';
import { useTranslation } from 'react-i18next';
import type { Message } from './message-queries.ts';

interface MessageListProps {
  messages: Message[];
  shown: Message['kind'];
  onShow: (kind: Message['kind']) => void;
  /** Null while nothing may be switched. */
  onSwitch: ((change: { kind: OptionalMessage; isOn: boolean }) => void) | null;
}

export function MessageList({ messages, shown, onShow, onSwitch }: MessageListProps) {
  const { t } = useTranslation('messages');
  return (
    <Card title={t('list')}>
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {messages.map(({ kind, isOptional, isOn }) => (
          <Group key={kind} component="li" justify="space-between" align="flex-start" wrap="nowrap" gap="md">
            <div style={{ minWidth: 0 }}>
              <Group gap="xs">
                <Text size="sm" fw={600} id={`message-${kind}`}>
                  {t(`kinds.${kind}.title`)}
                </Text>
                <Badge size="sm" variant="light" color={kind.endsWith('sms') ? 'grape' : 'blue'} tt="none">
                  {t(kind.endsWith('sms') ? 'sms' : 'email')}
                </Badge>
              </Group>
              <Text size="sm" c="dimmed">
                {t(`kinds.${kind}.text`)}
              </Text>
              <Button
                size="compact-sm"
                variant={shown === kind ? 'light' : 'subtle'}
                ml={shown === kind ? 0 : -8}
                mt={4}
                aria-pressed={shown === kind}
                aria-describedby={`message-${kind}`}
                onClick={() => onShow(kind)}
              >
                {t('preview')}
              </Button>
            </div>
            {isOptional ? (
              <Switch
                aria-labelledby={`message-${kind}`}
                checked={isOn}
                disabled={onSwitch === null}
                onChange={({ currentTarget: { checked } }) =>
                  onSwitch?.({ kind: kind as OptionalMessage, isOn: checked })
                }
              />
            ) : (
              <Text size="xs" c="dimmed" style={{ flexShrink: 0 }}>
                {t('always')}
              </Text>
            )}
          </Group>
        ))}
      </Stack>
    </Card>
  );
}
