import { Alert, Button, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import type { AccountPage } from '@navette/contract';
import { useExplainError, useFieldErrors } from '@navette/ui/api/use-explain-error.ts';
import { ApiError } from '@navette/ui/api-error';
import { IconAlertCircle, IconMapPinOff } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';

interface Props {
  address: AccountPage['account']['pickupAddress'];
  onSaved: () => void;
}

const isNotGeocodable = (error: unknown) => error instanceof ApiError && error.slug === 'PICKUP_ADDRESS_NOT_GEOCODABLE';

/** Asks for coordinates when the geocoder does not find the address. */
export function PickupAddressForm({ address, onSaved }: Props) {
  const { t } = useTranslation(['account', 'common', 'errors']);
  const cache = useQueryClient();
  const [explain, fieldErrors] = [useExplainError(), useFieldErrors()];
  const form = useForm({
    initialValues: {
      street: address?.street ?? '',
      postalCode: address?.postalCode ?? '',
      city: address?.city ?? '',
      country: address?.country ?? 'France',
      latitude: '' as number | string,
      longitude: '' as number | string,
    },
    validate: Object.fromEntries(
      ['street', 'postalCode', 'city', 'country'].map((field) => [
        field,
        (value: string) => (value.trim() ? null : t('errors:rules.required')),
      ]),
    ),
  });
  const save = useMutation({
    mutationFn: ({ latitude, longitude, ...place }: typeof form.values) => {
      const known = typeof latitude === 'number' && typeof longitude === 'number';
      return call('setPickupAddress', {
        body: { ...place, ...(known ? { coordinates: { latitude, longitude } } : {}) },
      });
    },
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: ['account'] });
      await cache.invalidateQueries({ queryKey: ['overview'] });
      notifications.show({ message: t('pickup.saved'), color: 'green' });
      onSaved();
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
      <Stack>
        <TextInput
          label={t('pickup.street')}
          autoComplete="street-address"
          required
          data-autofocus
          {...form.getInputProps('street')}
        />
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <TextInput
            label={t('pickup.postalCode')}
            autoComplete="postal-code"
            required
            {...form.getInputProps('postalCode')}
          />
          <TextInput label={t('pickup.city')} autoComplete="address-level2" required {...form.getInputProps('city')} />
        </Group>
        <TextInput
          label={t('pickup.country')}
          autoComplete="country-name"
          required
          {...form.getInputProps('country')}
        />
        {isNotGeocodable(save.error) && (
          <>
            <Alert color="yellow" icon={<IconMapPinOff />} title={t('pickup.notFound')} role="alert">
              {t('pickup.notFoundText')}
            </Alert>
            <Group grow align="flex-start">
              <NumberInput
                label={t('pickup.latitude')}
                placeholder="48,8566"
                decimalSeparator=","
                allowedDecimalSeparators={[',', '.']}
                hideControls
                min={-90}
                max={90}
                {...form.getInputProps('latitude')}
              />
              <NumberInput
                label={t('pickup.longitude')}
                placeholder="2,3522"
                decimalSeparator=","
                allowedDecimalSeparators={[',', '.']}
                hideControls
                min={-180}
                max={180}
                {...form.getInputProps('longitude')}
              />
            </Group>
          </>
        )}
        {save.isError && !isNotGeocodable(save.error) && (
          <Alert color="red" icon={<IconAlertCircle />} role="alert">
            {explain(save.error)}
          </Alert>
        )}
        <Button type="submit" loading={save.isPending}>
          {t('common:save')}
        </Button>
      </Stack>
    </form>
  );
}
