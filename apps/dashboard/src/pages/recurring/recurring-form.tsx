import { Alert, Button, Grid, SegmentedControl, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Block } from '@navette/contract';
import { useExplainError, useFieldErrors } from '@navette/ui/api/use-explain-error.ts';
import { ApiError } from '@navette/ui/api-error';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type Account, deliveryAddressFor } from '../shipments/new/account-defaults.ts';
import { CreationBlocks } from '../shipments/new/creation-blocks.tsx';
import { ParcelSection, RecipientSection, ReferencesSection } from '../shipments/new/form-sections.tsx';
import { type FormValues, isWeightUnreadable, missingContact } from '../shipments/new/form-values.ts';
import { PickupSection } from '../shipments/new/pickup-section.tsx';
import styles from '../shipments/shipments.module.css';
import { ChargeHint, RuleSection } from './rule-section.tsx';
import { type RuleValues, toBody, type Values } from './rule-values.ts';

interface Props {
  initial: Values;
  account: Account;
  blocks: Block[];
  isChange: boolean;
  save: (body: ReturnType<typeof toBody>) => Promise<unknown>;
}

const INPUT_OF: Record<string, string> = { UNKNOWN_SLOT: 'timeSlot' };

/** The rule and the shipment: two forms, so that the sections of a new shipment serve here too. */
export function RecurringForm({ initial, account, blocks, isChange, save }: Props) {
  const { t } = useTranslation(['recurring', 'newShipment', 'errors']);
  const explain = useExplainError();
  const fieldErrors = useFieldErrors();
  const form = useForm<FormValues>({ initialValues: initial.shipment });
  const rule = useForm<RuleValues>({ initialValues: initial.rule });

  const saving = useMutation({
    mutationFn: () => save(toBody({ rule: rule.getValues(), shipment: form.getValues() })),
    onError: (error) => {
      const values = form.getValues();
      const all = Object.entries(fieldErrors(error));
      const own = all.filter(([path]) => path.startsWith('shipment.')).map(([path, text]) => [path.slice(9), text]);
      const errors: Record<string, string> = Object.fromEntries(own);
      const others = Object.fromEntries(all.filter(([path]) => !path.startsWith('shipment.')));
      if (own.length > 0) for (const path of missingContact(values)) errors[path] = t('errors:rules.required');
      if (isWeightUnreadable(values)) errors['parcelDetails.weight'] = t('newShipment:weightWrong');
      if (others.timeSlot) errors.timeSlot = t('errors:rules.required');
      if (others.weekdays) others.weekdays = t('chooseDay');
      const input = INPUT_OF[error instanceof ApiError ? (error.slug ?? '') : ''];
      if (input) errors[input] = explain(error);
      form.setErrors(errors);
      rule.setErrors(others);
    },
  });
  const setKind = (isCollection: boolean) => {
    form.setFieldValue('isCollection', isCollection);
    form.setFieldValue('deliveryAddress', deliveryAddressFor(isCollection, form.values.deliveryAddress, account));
  };
  const wrongFields = new Set([...Object.keys(form.errors), ...Object.keys(rule.errors)]).size;

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!saving.isPending) saving.mutate();
      }}
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <CreationBlocks blocks={blocks} />
            <RuleSection rule={rule} form={form} slots={account.timeSlots} />
            <SegmentedControl
              aria-label={t('newShipment:kind')}
              style={{ alignSelf: 'flex-start' }}
              value={form.values.isCollection ? 'collection' : 'delivery'}
              onChange={(kind) => setKind(kind === 'collection')}
              data={[
                { value: 'delivery', label: t('newShipment:delivery') },
                { value: 'collection', label: t('newShipment:collection') },
              ]}
            />
            {form.values.isCollection && <PickupSection form={form} account={account} />}
            <RecipientSection form={form} />
            <ParcelSection form={form} />
            {!form.values.isCollection && <PickupSection form={form} account={account} />}
            <ReferencesSection form={form} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="md" className={styles.aside ?? ''}>
            <ChargeHint isChange={isChange} />
            {saving.isError && (
              <Alert color="red" role="alert">
                {wrongFields > 0 ? t('newShipment:fixFields', { count: wrongFields }) : explain(saving.error)}
              </Alert>
            )}
            <Button type="submit" size="md" loading={saving.isPending}>
              {t(isChange ? 'save' : 'create')}
            </Button>
          </Stack>
        </Grid.Col>
      </Grid>
    </form>
  );
}
