import { Chip, Group, Input, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { localDate } from '@navette/ui/formats';
import { Card } from '@navette/ui/parts/card.tsx';
import { useTranslation } from 'react-i18next';
import { hintBelow } from '../shipments/new/form-sections.tsx';
import type { ShipmentForm } from '../shipments/new/use-shipment-form.ts';
import { SlotField } from '../shipments/new/when-section.tsx';
import type { RuleValues } from './rule-values.ts';
import { weekdayName } from './use-rule-in-words.ts';

interface Props {
  rule: UseFormReturnType<RuleValues>;
  form: ShipmentForm;
  slots: readonly { id: string; label: string }[];
}

export function RuleSection({ rule, form, slots }: Props) {
  const { t, i18n } = useTranslation('recurring');
  return (
    <Card title={t('rule')} text={t('timeZoneHint')}>
      <Stack gap="md">
        <Input.Wrapper label={t('weekdays')} withAsterisk error={rule.errors.weekdays}>
          <Chip.Group multiple {...rule.getInputProps('weekdays')}>
            <Group gap={6} mt={4} role="group" aria-label={t('weekdays')}>
              {[1, 2, 3, 4, 5, 6, 7].map((weekday) => (
                <Chip key={weekday} value={String(weekday)} radius="md">
                  {weekdayName(weekday, i18n.language)}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </Input.Wrapper>
        <SlotField form={form} slots={slots} />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label={t('startsOn')}
            type="date"
            min={localDate(new Date())}
            withAsterisk
            {...rule.getInputProps('startsOn')}
          />
          <TextInput
            label={t('endsOn')}
            type="date"
            min={rule.values.startsOn}
            {...hintBelow}
            description={t('endsOnHint')}
            {...rule.getInputProps('endsOn')}
          />
        </SimpleGrid>
      </Stack>
    </Card>
  );
}

export const ChargeHint = ({ isChange }: { isChange: boolean }) => {
  const { t } = useTranslation('recurring');
  return (
    <Text size="sm" c="dimmed">
      {t(isChange ? 'changeHint' : 'chargeHint')}
    </Text>
  );
};
