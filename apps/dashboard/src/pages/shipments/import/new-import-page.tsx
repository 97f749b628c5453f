import { Alert, Button, Group, Paper, Stack, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import type { Language } from '@navette/ui/language';
import { BackLink } from '@navette/ui/parts/links.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, urlOf } from '../../../api/call.ts';
import { useMay } from '../../../session/session.ts';
import { DropZone } from './drop-zone.tsx';
import { ImportHistory } from './import-history.tsx';
import { importQuery, importsQuery } from './imports-queries.ts';
import { readCsvFile, type UnusableFile } from './read-csv-file.ts';

export default function NewImportPage() {
  const { t, i18n } = useTranslation(['imports', 'shipment']);
  const may = useMay();
  return (
    <>
      <BackLink to="/shipments">{t('back', { ns: 'shipment' })}</BackLink>
      <PageTitle title={t('title')} text={t('intro')}>
        <Button
          component="a"
          href={urlOf('importTemplate', { query: { language: i18n.language as Language } })}
          download
          variant="default"
          leftSection={<IconDownload size={16} />}
        >
          {t('template')}
        </Button>
      </PageTitle>
      <Stack gap="xl">
        {may('ship') ? <ImportInput /> : <Alert>{t('readOnly')}</Alert>}
        <ImportHistory />
      </Stack>
    </>
  );
}

/** Accepts a file or pasted lines, and sends them to be checked. */
function ImportInput() {
  const { t } = useTranslation('imports');
  const explain = useExplainError();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [pasting, { toggle }] = useDisclosure();
  const [pasted, setPasted] = useState('');
  const [unusable, setUnusable] = useState<UnusableFile | null>(null);

  const preview = useMutation({
    mutationFn: (body: { filename: string; text: string }) => call('previewImport', { body }),
    onSuccess: async (answer) => {
      queryClient.setQueryData(importQuery(answer.import.id).queryKey, answer);
      void queryClient.invalidateQueries({ queryKey: importsQuery.queryKey });
      await navigate({ to: '/shipments/import/$id', params: { id: answer.import.id } });
    },
  });
  const check = async (file: File) => {
    setUnusable(null);
    const read = await readCsvFile(file);
    if ('unusable' in read) setUnusable(read.unusable);
    else preview.mutate({ filename: file.name.slice(0, 200), text: read.text });
  };

  return (
    <Stack gap="md">
      <DropZone onFile={(file) => void check(file)} onPaste={toggle} busy={preview.isPending} />
      {unusable && (
        <Alert color="red" role="alert">
          {t(unusable)}
        </Alert>
      )}
      {preview.isError && (
        <Alert color="red" role="alert">
          {explain(preview.error)}
        </Alert>
      )}
      {pasting && (
        <Paper withBorder p="lg">
          <Textarea
            label={t('pasteLabel')}
            description={t('pasteHint')}
            value={pasted}
            onChange={({ currentTarget }) => setPasted(currentTarget.value)}
            minRows={6}
            maxRows={16}
            autosize
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
          <Group mt="md">
            <Button
              disabled={pasted.trim() === ''}
              loading={preview.isPending}
              onClick={() => preview.mutate({ filename: t('pastedName'), text: pasted })}
            >
              {t('check')}
            </Button>
          </Group>
        </Paper>
      )}
    </Stack>
  );
}
