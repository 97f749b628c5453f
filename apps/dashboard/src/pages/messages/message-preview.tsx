import { Group, Paper, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import type { DashboardAnswer, Language } from '@navette/contract';
import { LANGUAGES } from '@navette/contract/dashboard-roles';
import { Card } from '@navette/ui/parts/card.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { urlOf } from '../../api/call.ts';
import { type Message, messagePreviewQuery } from './message-queries.ts';

const FRAME_HEIGHT = 620; // pixels: an e-mail on a phone

interface MessagePreviewProps {
  kind: Message['kind'];
  /** The language that is shown first. */
  initial: Language;
}

export function MessagePreview({ kind, initial }: MessagePreviewProps) {
  const { t } = useTranslation('messages');
  const [language, setLanguage] = useState(initial);
  const [part, setPart] = useState<'html' | 'text'>('html');
  const query = useQuery(messagePreviewQuery(kind, language));
  const isSms = kind.endsWith('sms');
  return (
    <Card title={t('previewOf', { message: t(`kinds.${kind}.title`) })}>
      <Stack>
        <Group justify="space-between">
          <SegmentedControl
            aria-label={t('previewLanguage')}
            data={LANGUAGES.map((value) => ({ value, label: t(`language.names.${value}`) }))}
            value={language}
            onChange={setLanguage}
          />
          {!isSms && (
            <SegmentedControl
              aria-label={t('part')}
              data={(['html', 'text'] as const).map((value) => ({ value, label: t(`parts.${value}`) }))}
              value={part}
              onChange={setPart}
            />
          )}
        </Group>
        <Loaded query={query} skeleton={<Skeleton h={isSms ? 90 : FRAME_HEIGHT} />}>
          {(preview) => <Shown preview={preview} kind={kind} language={language} asText={isSms || part === 'text'} />}
        </Loaded>
        <Text size="xs" c="dimmed">
          {t('invented')}
        </Text>
      </Stack>
    </Card>
  );
}

interface ShownProps {
  preview: DashboardAnswer<'previewMessage'>;
  kind: Message['kind'];
  language: Language;
  asText: boolean;
}

function Shown({ preview: { subject, text, segments }, kind, language, asText }: ShownProps) {
  const { t } = useTranslation('messages');
  return (
    <>
      {subject && (
        <Text fw={600} lang={language}>
          {subject}
        </Text>
      )}
      {asText ? (
        <Paper withBorder p="md">
          <Text size="sm" lang={language} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {text}
          </Text>
        </Paper>
      ) : (
        <iframe
          title={t('previewOf', { message: t(`kinds.${kind}.title`) })}
          src={urlOf('showMessage', { query: { kind, language } })}
          style={{ width: '100%', height: FRAME_HEIGHT, border: 0, borderRadius: 8 }}
        />
      )}
      {segments !== null && (
        <Text size="sm" c="dimmed">
          {t('segments', { count: segments })}
        </Text>
      )}
    </>
  );
}
