import { Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { DriverPage } from '@navette/contract';
import { DRIVER_DOCUMENTS, type DriverDocumentKind } from '@navette/contract/console-driver-documents';
import { DOCUMENT_WARNING_DAYS } from '@navette/contract/console-limits';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Card } from '@navette/ui/parts/card.tsx';
import { Form } from '@navette/ui/parts/form.tsx';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActFailure } from '../../acts/act-failure.tsx';
import { Consequences } from '../../acts/consequences.tsx';
import { useAct } from '../../acts/use-act.ts';
import { call } from '../../api/call.ts';
import { useMay } from '../../session/session.ts';
import { EditButton } from '../merchant/edit-button.tsx';

type Document = DriverPage['documents'][number];

const SOON_MS = DOCUMENT_WARNING_DAYS * 86_400_000;
const COLOURS = { none: 'gray', expired: 'red', soon: 'orange', valid: 'green' } as const;

function stateOf(document: Document | undefined): keyof typeof COLOURS {
  if (!document) return 'none';
  if (document.expiresOn === null) return 'valid';
  const left = new Date(`${document.expiresOn}T23:59:59Z`).getTime() - Date.now();
  if (left < 0) return 'expired';
  return left < SOON_MS ? 'soon' : 'valid';
}

/** Papers of the driver, also those that are missing. */
export function DocumentsCard({ driverId, documents }: { driverId: string; documents: Document[] }) {
  const { t } = useTranslation('driver');
  const format = useFormat();
  const may = useMay();
  return (
    <Card title={t('documents.title')}>
      <Stack gap="sm">
        {DRIVER_DOCUMENTS.map((kind) => {
          const document = documents.find((one) => one.kind === kind);
          const state = stateOf(document);
          const until = document?.expiresOn && format.date(`${document.expiresOn}T12:00:00Z`);
          return (
            <Group key={kind} justify="space-between" wrap="nowrap" gap="sm">
              <div style={{ minWidth: 0 }}>
                <Text size="sm" fw={550}>
                  {t(`documents.kinds.${kind}`)}
                </Text>
                {document && (
                  <Text size="xs" c="dimmed">
                    {[document.number, until ? t('documents.until', { date: until }) : t('documents.unlimited')]
                      .filter(Boolean)
                      .join(' · ')}
                  </Text>
                )}
              </div>
              <Group gap="xs" wrap="nowrap">
                <Badge variant="light" tt="none" color={COLOURS[state]}>
                  {t(`documents.${state}`)}
                </Badge>
                {may('dispatch') && (
                  <EditButton label={t('documents.edit')} title={t(`documents.kinds.${kind}`)}>
                    {(close) => <DocumentForm {...{ driverId, kind, document }} onDone={close} />}
                  </EditButton>
                )}
              </Group>
            </Group>
          );
        })}
      </Stack>
    </Card>
  );
}

interface FormProps {
  driverId: string;
  kind: DriverDocumentKind;
  document: Document | undefined;
  onDone: () => void;
}

function DocumentForm({ driverId, kind, document, onDone }: FormProps) {
  const { t } = useTranslation('driver');
  const { t: tActs } = useTranslation('acts');
  const [version] = useState(document?.version ?? 0);
  const [number, setNumber] = useState(document?.number ?? '');
  const [expiresOn, setExpiresOn] = useState(document?.expiresOn ?? '');
  const params = { id: driverId, kind };
  const ends = { onDone, onConflict: () => {} };
  const save = useAct(
    ends,
    () =>
      call('setDriverDocument', {
        params,
        body: { number: number.trim() || null, expiresOn: expiresOn || null, version },
      }),
    () => t('documents.saved'),
  );
  const remove = useAct(
    ends,
    () => call('removeDriverDocument', { params, body: { version } }),
    () => t('documents.removed'),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <Form onSubmit={onSubmit}>
      <TextInput
        label={t('documents.number')}
        maxLength={100}
        data-autofocus
        value={number}
        onChange={(event) => setNumber(event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label={t('documents.expiresOn')}
        description={t('documents.expiresHint')}
        value={expiresOn}
        onChange={(event) => setExpiresOn(event.currentTarget.value)}
      />
      <Consequences lines={[t('documents.outcome'), tActs('loggedName')]} />
      <ActFailure error={save.error ?? remove.error} />
      <Group grow>
        {version > 0 && (
          <Button variant="light" color="red" loading={remove.isPending} onClick={() => remove.mutate(undefined)}>
            {t('documents.remove')}
          </Button>
        )}
        <Button type="submit" loading={save.isPending}>
          {t('documents.save')}
        </Button>
      </Group>
    </Form>
  );
}
