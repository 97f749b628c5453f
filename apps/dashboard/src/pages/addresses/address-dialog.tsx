import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useExplainError, useFieldErrors } from '@navette/ui/api/use-explain-error.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { RecipientFields } from '../shipments/new/form-sections.tsx';
import { addressForm, emptyForm, type FormValues, toRequest } from '../shipments/new/form-values.ts';
import type { SavedAddress } from './address-queries.ts';

/** Adds an address, or changes one. The fields are those of a new shipment. */
export function AddressDialog({ address, onClose }: { address: SavedAddress | null; onClose: () => void }) {
  const { t } = useTranslation('addresses');
  const common = useTranslation().t;
  const explain = useExplainError();
  const fieldErrors = useFieldErrors();
  const queryClient = useQueryClient();
  const form = useForm<FormValues>({ initialValues: { ...emptyForm(), ...(address && addressForm(address)) } });
  const saving = useMutation({
    mutationFn: () => {
      const body = toRequest(form.getValues()).deliveryAddress;
      return address ? call('changeAddress', { params: { id: address.id }, body }) : call('saveAddress', { body });
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['addresses'] });
      notifications.show({ message: t('saved') });
      onClose();
    },
    onError: (error) =>
      form.setErrors(
        Object.fromEntries(Object.entries(fieldErrors(error)).map(([path, text]) => [`deliveryAddress.${path}`, text])),
      ),
  });
  const hasWrongFields = Object.keys(form.errors).length > 0;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(address ? 'changeTitle' : 'addTitle')}
      size="lg"
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!saving.isPending) saving.mutate();
        }}
      >
        <Stack>
          <RecipientFields form={form} suggestsSaved={false} />
          {saving.isError && !hasWrongFields && (
            <Alert color="red" role="alert">
              {explain(saving.error)}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={saving.isPending}>
              {t('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
