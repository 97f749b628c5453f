import { Button, Checkbox, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DEFAULT_SCOPES, SCOPES, type Scope } from '@navette/contract/scopes';
import { useExplainError, useFieldErrors } from '@navette/ui/api/use-explain-error.ts';
import { FormError } from '@navette/ui/parts/form-error.tsx';
import { useReturnFocus } from '@navette/ui/parts/use-return-focus.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { keysQuery } from './key-queries.ts';
import { isNetworkError } from './narrow-key-button.tsx';
import { NarrowingFields, narrowingOf, toNarrowing } from './narrowing-fields.tsx';

const EXPIRIES = { never: null, d30: 30, d90: 90, d365: 365 } as const;
type Expiry = keyof typeof EXPIRIES;
const NOT_NARROWED = narrowingOf({ networks: null, resources: null });

interface Props {
  onClose: () => void;
  onCreated: (secret: string) => void;
}

export function NewKeyDialog({ onClose, onCreated }: Props) {
  const { t } = useTranslation('developers');
  const common = useTranslation().t;
  const fieldErrors = useFieldErrors();
  const explain = useExplainError();
  useReturnFocus();
  const cache = useQueryClient();
  const form = useForm({
    initialValues: { name: '', scopes: [...DEFAULT_SCOPES], expiry: 'never' as Expiry, narrowing: NOT_NARROWED },
    validate: {
      name: (name) => (name.trim() ? null : t('keys.nameText')),
      scopes: (scopes) => (scopes.length > 0 ? null : t('keys.scopesMissing')),
    },
  });
  const creation = useMutation({
    mutationFn: ({ name, scopes, expiry, narrowing }: typeof form.values) =>
      call('createKey', {
        body: {
          ...{ name, scopes: scopes as Scope[], expiresAt: inDays(EXPIRIES[expiry]) },
          ...toNarrowing(narrowing),
        },
      }),
    onSuccess: ({ secret }) => {
      void cache.invalidateQueries({ queryKey: keysQuery.queryKey });
      onCreated(secret);
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <Modal opened onClose={onClose} title={t('keys.createTitle')} closeButtonProps={{ 'aria-label': common('close') }}>
      <form onSubmit={form.onSubmit((values) => creation.mutate(values))} noValidate>
        <Stack>
          {!isNetworkError(creation.error) && <FormError error={creation.error} />}
          <TextInput
            data-autofocus
            withAsterisk
            label={t('keys.name')}
            description={t('keys.nameText')}
            placeholder={t('keys.namePlaceholder')}
            maxLength={100}
            autoComplete="off"
            {...form.getInputProps('name')}
          />
          <Checkbox.Group label={t('keys.scopes')} {...form.getInputProps('scopes')}>
            <Stack gap="xs" mt="xs">
              {SCOPES.map((scope) => (
                <Checkbox
                  key={scope}
                  value={scope}
                  label={t(`keys.scope.${scope}`)}
                  description={t(`keys.scopeText.${scope}`)}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <Select
            label={t('keys.expiry')}
            description={t('keys.expiryText')}
            allowDeselect={false}
            data={Object.keys(EXPIRIES).map((value) => ({ value, label: t(`keys.expiries.${value as Expiry}`) }))}
            {...form.getInputProps('expiry')}
          />
          <details>
            <Text component="summary" size="sm" style={{ cursor: 'pointer' }} mb="xs">
              {t('keys.narrowMore')}
            </Text>
            <NarrowingFields
              value={form.values.narrowing}
              onChange={(narrowing) => form.setFieldValue('narrowing', narrowing)}
              networksError={isNetworkError(creation.error) ? explain(creation.error) : null}
            />
          </details>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common('cancel')}
            </Button>
            <Button type="submit" loading={creation.isPending}>
              {t('keys.create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

const inDays = (days: number | null) => (days === null ? null : new Date(Date.now() + days * 86_400_000).toISOString());
