import { Alert, Anchor, Group, Progress, SegmentedControl, Stack, Text } from '@mantine/core';
import { timeZone } from '@navette/ui/formats';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { AnchorLink, ButtonLink } from '@navette/ui/parts/links.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { IconConfetti } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { CodeBlock } from '../../../shared/code-block.tsx';
import { CreateKeyButton } from '../keys/create-key-button.tsx';
import { type ExampleLanguage, LANGUAGES, shipmentSnippet, testSnippet } from './snippets.ts';
import { Step } from './step.tsx';

const REFRESH_MS = 2_000; // steps are ticked off while the reader works in a terminal
const FREE_SLOT = '14h-16h'; // every account may use free hours

export default function StartPage() {
  const { t } = useTranslation('developers');
  const start = useQuery({ queryKey: ['start'], queryFn: () => call('readStart'), refetchInterval: REFRESH_MS });
  return (
    <>
      <PageTitle title={t('start.title')} text={t('start.text')} />
      <Loaded query={start} skeleton={<CardSkeleton h={900} />}>
        {(data) => <Steps start={data} />}
      </Loaded>
    </>
  );
}

type Start = Awaited<ReturnType<typeof call<'readStart'>>>;

function Steps({ start }: { start: Start }) {
  const { t } = useTranslation('developers');
  const [language, setLanguage] = useState<ExampleLanguage>('curl');
  const [key, setKey] = useState<string | null>(null);
  const [idempotencyKey] = useState(newIdempotencyKey);
  const { steps, baseUrl, clientId } = start;
  const done = Object.values(steps).filter(Boolean).length;
  const placeholder = t('start.key.placeholder');
  const values = {
    baseUrl,
    clientId,
    idempotencyKey,
    key: key ?? placeholder,
    slot: start.slot ?? FREE_SLOT,
    date: dateInOneWeek(),
  };
  const runIn = t(`start.runIn.${language}`);
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Stack gap={6} style={{ flex: '1 1 220px' }} maw={360}>
          <Text size="sm">{t('start.progress', { done, all: Object.keys(steps).length })}</Text>
          <Progress
            value={(100 * done) / Object.keys(steps).length}
            aria-label={t('start.progress', { done, all: Object.keys(steps).length })}
          />
        </Stack>
        <SegmentedControl
          aria-label={t('start.language')}
          data={[...LANGUAGES]}
          value={language}
          onChange={(chosen) => setLanguage(chosen as ExampleLanguage)}
        />
      </Group>
      {done === Object.keys(steps).length && (
        <Alert color="green" icon={<IconConfetti />}>
          {t('start.finished')}
        </Alert>
      )}
      <Stack component="ol" gap="md" p={0} m={0} style={{ listStyle: 'none' }}>
        <Step n={1} name="key" isDone={steps.keyMade}>
          <Group>
            <CreateKeyButton onSaved={setKey} />
            <Text size="sm" c="dimmed">
              {key ? t('start.key.inserted') : t('start.key.missing', { placeholder })}
            </Text>
          </Group>
        </Step>
        <Step n={2} name="test" isDone={steps.keyUsed} hint={runIn}>
          <CodeBlock code={testSnippet[language](values)} what={t('start.test.title')} />
        </Step>
        <Step n={3} name="shipment" isDone={steps.shipmentCreated} hint={runIn}>
          <CodeBlock code={shipmentSnippet[language](values)} what={t('start.shipment.title')} mah={520} />
          <AnchorLink size="sm" to="/shipments">
            {t('start.shipment.open')}
          </AnchorLink>
        </Step>
        <Step n={4} name="webhook" isDone={steps.webhookHeard}>
          <Group>
            <ButtonLink variant="default" to="/developers/webhooks">
              {t('start.webhook.open')}
            </ButtonLink>
          </Group>
        </Step>
      </Stack>
      <Group gap="lg">
        <Anchor href="/docs" target="_blank" rel="noreferrer">
          {t('start.reference')}
        </Anchor>
        <AnchorLink to="/developers/requests">{t('start.requests')}</AnchorLink>
      </Group>
    </Stack>
  );
}

/** A local date in the service's time zone. A week leaves time to cancel before a driver is searched. */
function dateInOneWeek(): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(Date.now() + 7 * 86_400_000);
}

/** Constant during the visit, so that running the command twice creates one shipment. */
const newIdempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
