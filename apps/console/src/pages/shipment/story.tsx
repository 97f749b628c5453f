import { Anchor, Button, SegmentedControl, Stack, Text, ThemeIcon } from '@mantine/core';
import type { MessageKind, StoryLine } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Card } from '@navette/ui/parts/card.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActFrame } from '../../acts/act-frame.tsx';
import { ResendMessage, RetryMessage } from '../../acts/simple-acts.tsx';
import { urlOf } from '../../api/call.ts';
import { useMay } from '../../session/session.ts';
import { LINE_LOOKS, STORY_GROUPS, type StoryGroup } from './line-look.ts';
import classes from './shipment.module.css';
import { useTellLine } from './use-tell-line.ts';

/** All that happened, oldest first, with the days between. */
export function Story({ story, id, reference }: { story: StoryLine[]; id: string; reference: string }) {
  const { t } = useTranslation('shipment');
  const format = useFormat();
  const [group, setGroup] = useState<StoryGroup | 'all'>('all');
  const [again, setAgain] = useState<StoryLine['facts'] | null>(null);
  const act = { why: null, onDone: () => setAgain(null), onConflict: () => {} };
  const lines = story.filter(({ kind }) => group === 'all' || LINE_LOOKS[kind].group === group);
  const dayOf = (line: StoryLine | undefined) => line && format.date(line.at);
  return (
    <Card title={t('story.title')}>
      <Stack gap="sm">
        <div style={{ overflowX: 'auto' }}>
          <SegmentedControl
            aria-label={t('story.filter')}
            size="xs"
            value={group}
            onChange={(value) => setGroup(value as typeof group)}
            data={['all' as const, ...STORY_GROUPS].map((value) => ({ value, label: t(`story.groups.${value}`) }))}
          />
        </div>
        {lines.length === 0 && <Text c="dimmed">{t('story.empty')}</Text>}
        <ol className={classes.story}>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id, and only new ones are added
            <Fragment key={`${line.at} ${line.kind} ${index}`}>
              {dayOf(line) !== dayOf(lines[index - 1]) && (
                <Text component="li" className={classes.day} size="xs" fw={600} c="dimmed">
                  {dayOf(line)}
                </Text>
              )}
              <Line line={line} onSendAgain={setAgain} />
            </Fragment>
          ))}
        </ol>
      </Stack>
      {again && (
        <ActFrame title={t('retryTitle', { title: reference })} isWide={false} onClose={() => setAgain(null)}>
          {again.status === 'failed' ? (
            <RetryMessage subject={{ id: String(again.messageId), title: reference, version: null }} {...act} />
          ) : (
            <ResendMessage
              subject={{ id, title: reference, version: null }}
              kind={again.message as MessageKind}
              {...act}
            />
          )}
        </ActFrame>
      )}
    </Card>
  );
}

function Line({ line, onSendAgain }: { line: StoryLine; onSendAgain: (facts: StoryLine['facts']) => void }) {
  const { t } = useTranslation('shipment');
  const may = useMay();
  const { icon: Icon, colour } = LINE_LOOKS[line.kind];
  const { text, detail } = useTellLine()(line);
  const { proofId, status, mayResend } = line.facts;
  const isFailed = line.kind === 'message' && status === 'failed';
  return (
    <li className={classes.line}>
      <Text size="xs" c="dimmed" className={classes.time}>
        <When at={line.at} as="time" />
      </Text>
      <span className={classes.icon}>
        <ThemeIcon variant="light" color={isFailed ? 'red' : colour} size={28} radius="xl">
          <Icon size={15} stroke={1.8} aria-hidden />
        </ThemeIcon>
      </span>
      <div className={classes.text}>
        <Text size="sm" {...(line.kind === 'status' ? { className: classes.milestone } : {})}>
          {text}
        </Text>
        {detail && (
          <Text size="xs" c="dimmed">
            {detail}
          </Text>
        )}
      </div>
      {(isFailed || mayResend === true) && may('support') && (
        <Button size="compact-xs" variant="default" onClick={() => onSendAgain(line.facts)}>
          {t('retryMessage')}
        </Button>
      )}
      {line.kind === 'proof' && (
        <Anchor
          size="xs"
          href={urlOf('readConsoleProof', { params: { id: String(proofId) } })}
          target="_blank"
          rel="noreferrer"
        >
          {t('story.openProof')}
        </Anchor>
      )}
    </li>
  );
}
