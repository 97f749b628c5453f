import { Chip, Group, Input, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { localDate } from '@navette/ui/formats';
import { Card } from '@navette/ui/parts/card.tsx';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShipmentForm } from './use-shipment-form.ts';

interface Props {
  form: ShipmentForm;
  slots: readonly { id: string; label: string }[];
}

const OTHER = 'other';

export function WhenSection({ form, slots }: Props) {
  const { t } = useTranslation('newShipment');
  const { express } = form.values;
  return (
    <Card title={t('when')}>
      <Stack gap="md">
        <Radio.Group
          aria-label={t('when')}
          value={express ? 'express' : 'scheduled'}
          onChange={(chosen) => form.setFieldValue('express', chosen === 'express')}
        >
          <Group gap="lg">
            <Radio value="express" label={t('express')} description={t('expressHint')} />
            <Radio value="scheduled" label={t('scheduled')} description={t('scheduledHint')} />
          </Group>
        </Radio.Group>
        {!express && (
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label={t('date')}
              type="date"
              min={localDate(new Date())}
              withAsterisk
              {...form.getInputProps('scheduledDate')}
            />
            <SlotField form={form} slots={slots} />
          </SimpleGrid>
        )}
      </Stack>
    </Card>
  );
}

/** One of the account's slots, or hours as text. */
export function SlotField({ form, slots }: Props) {
  const { t } = useTranslation('newShipment');
  const { timeSlot } = form.values;
  const isOwn = slots.some(({ label }) => label === timeSlot);
  const [other, setOther] = useState(timeSlot !== '' && !isOwn);
  const free = other || slots.length === 0;
  const slotInput = form.getInputProps('timeSlot');

  const chooseSlot = (chosen: string) => {
    setOther(chosen === OTHER);
    form.setFieldValue('timeSlot', chosen === OTHER ? '' : chosen);
  };

  return (
    <Stack gap="xs">
      {slots.length > 0 && (
        <Input.Wrapper label={t('slot')} withAsterisk error={free ? null : slotInput.error}>
          <Chip.Group value={other ? OTHER : timeSlot} onChange={(chosen) => chooseSlot(String(chosen))}>
            <Group gap={6} mt={4} role="radiogroup" aria-label={t('slot')}>
              {slots.map(({ id, label }) => (
                <Chip key={id} value={label} radius="md">
                  {label}
                </Chip>
              ))}
              <Chip value={OTHER} radius="md">
                {t('slotOther')}
              </Chip>
            </Group>
          </Chip.Group>
        </Input.Wrapper>
      )}
      {free && (
        <TextInput
          label={slots.length > 0 ? t('slotOtherLabel') : t('slot')}
          placeholder={t('slotExample')}
          withAsterisk
          {...slotInput}
        />
      )}
    </Stack>
  );
}
