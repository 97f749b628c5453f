import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import type { DashboardKey } from '@navette/contract';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { ApiError } from '@navette/ui/api-error';
import { FormError } from '@navette/ui/parts/form-error.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { keysQuery } from './key-queries.ts';
import { NarrowingFields, narrowingOf, toNarrowing } from './narrowing-fields.tsx';

export const isNetworkError = (error: unknown): boolean =>
  error instanceof ApiError && error.slug === 'KEY_NETWORK_INVALID';

export function NarrowKeyButton({ apiKey, name }: { apiKey: DashboardKey; name: string }) {
  const { t } = useTranslation('developers');
  const common = useTranslation().t;
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {t('keys.narrow')}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t('keys.narrowTitle', { name })}
        closeButtonProps={{ 'aria-label': common('close') }}
      >
        <NarrowForm apiKey={apiKey} onClose={close} />
      </Modal>
    </>
  );
}

function NarrowForm({ apiKey, onClose }: { apiKey: DashboardKey; onClose: () => void }) {
  const { t } = useTranslation('developers');
  const common = useTranslation().t;
  const explain = useExplainError();
  const cache = useQueryClient();
  const [values, setValues] = useState(narrowingOf(apiKey));
  const saving = useMutation({
    mutationFn: () => call('narrowKey', { params: { id: apiKey.id }, body: toNarrowing(values) }),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: keysQuery.queryKey });
      notifications.show({ message: t('keys.narrowed'), color: 'green' });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Stack component="form" onSubmit={submit}>
      {!isNetworkError(saving.error) && <FormError error={saving.error} />}
      <Text size="sm">{t('keys.narrowText')}</Text>
      <NarrowingFields
        value={values}
        onChange={setValues}
        networksError={isNetworkError(saving.error) ? explain(saving.error) : null}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {common('cancel')}
        </Button>
        <Button type="submit" loading={saving.isPending}>
          {t('keys.narrowSave')}
        </Button>
      </Group>
    </Stack>
  );
}
