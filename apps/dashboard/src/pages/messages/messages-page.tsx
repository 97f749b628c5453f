import { Grid, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { DashboardPart, MessageSettings } from '@navette/contract';
import { LANGUAGES } from '@navette/contract/dashboard-roles';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Card } from '@navette/ui/parts/card.tsx';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useMay } from '../../session/session.ts';
import { MessageList } from './message-list.tsx';
import { MessagePreview } from './message-preview.tsx';
import { type Message, messageSettingsQuery } from './message-queries.ts';

const HEADER_HEIGHT = 76; // pixels, with a margin

type Change = DashboardPart<'changeMessageSettings', 'body'>;

/** Which messages recipients get, in which language, and what they look like. */
export default function MessagesPage() {
  const { t } = useTranslation('messages');
  const query = useQuery(messageSettingsQuery);
  return (
    <>
      <PageTitle title={t('title')} text={t('text')} />
      <Loaded query={query} skeleton={<CardSkeleton h={640} />}>
        {({ settings }) => <Messages settings={settings} />}
      </Loaded>
    </>
  );
}

function Messages({ settings }: { settings: MessageSettings }) {
  const { t } = useTranslation('messages');
  const cache = useQueryClient();
  const isAllowed = useMay()('ship');
  const explain = useExplainError();
  const { number } = useFormat();
  const [shown, setShown] = useState<Message['kind']>('recipient-email');
  const preview = useRef<HTMLDivElement>(null);
  const show = (kind: Message['kind']) => {
    setShown(kind);
    preview.current?.scrollIntoView({ block: 'nearest' }); // on a phone it is below the list
  };
  const save = useMutation({
    mutationFn: (body: Change) => call('changeMessageSettings', { body }),
    onSuccess: (answer) => {
      cache.setQueryData(messageSettingsQuery.queryKey, answer);
      notifications.show({ message: t('saved'), color: 'green' });
    },
    onError: (error) => notifications.show({ message: explain(error), color: 'red' }),
  });
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <Stack gap="lg">
          <Card title={t('language.title')}>
            <Select
              aria-label={t('language.title')}
              data={[
                { value: 'default', label: t('language.default') },
                ...LANGUAGES.map((value) => ({ value, label: t(`language.names.${value}`) })),
              ]}
              value={settings.language ?? 'default'}
              onChange={(value) => save.mutate({ language: LANGUAGES.find((one) => one === value) ?? null })}
              allowDeselect={false}
              disabled={!isAllowed || save.isPending}
            />
            <Text size="sm" c="dimmed" mt="sm">
              {t('language.text')}
            </Text>
          </Card>
          <MessageList
            messages={settings.messages}
            shown={shown}
            onShow={show}
            onSwitch={isAllowed && !save.isPending ? (change) => save.mutate({ messages: [change] }) : null}
          />
          <Text size="sm" c="dimmed">
            {t('smsToday', { count: settings.sms.today, most: number(settings.sms.perDay) })}
          </Text>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <div ref={preview} style={{ position: 'sticky', top: HEADER_HEIGHT }}>
          <MessagePreview key={settings.language ?? ''} kind={shown} initial={settings.language ?? 'fr'} />
        </div>
      </Grid.Col>
    </Grid>
  );
}
