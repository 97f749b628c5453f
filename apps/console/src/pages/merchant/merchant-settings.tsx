import { SimpleGrid } from '@mantine/core';
import type { Merchant } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Card } from '@navette/ui/parts/card.tsx';
import { Fact } from '@navette/ui/parts/fact.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../session/session.ts';
import { EditButton } from './edit-button.tsx';
import { SettingsForm } from './settings-form.tsx';

/** Contract, slots and limits of the account. */
export function SettingsCard({ merchant }: { merchant: Merchant }) {
  const { t } = useTranslation('merchant');
  const format = useFormat();
  const may = useMay();
  const { clientId, clientType, contractSigned, isSpecialRequest, agreedPickupTime, pickupAddress } = merchant;
  const { timeSlots, rateLimits, smsPerDay, retentionDays, createdAt } = merchant;
  const limits = [rateLimits.minute, rateLimits.hour, rateLimits.day].map((limit) => format.number(limit));
  return (
    <Card
      title={t('settings.title')}
      aside={
        may('support') &&
        !merchant.closedAt && (
          <EditButton title={t('edit.title', { name: merchant.name })}>
            {(close) => <SettingsForm merchant={merchant} onDone={close} />}
          </EditButton>
        )
      }
    >
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing={10} m={0}>
        <Fact label={t('settings.clientId')}>{clientId}</Fact>
        <Fact label={t('settings.clientType')}>{clientType ?? t('settings.missing')}</Fact>
        <Fact label={t('settings.contract')}>{t(contractSigned ? 'settings.signed' : 'settings.notSigned')}</Fact>
        <Fact label={t('settings.since')}>
          <When at={createdAt} as="date" />
        </Fact>
        <Fact label={t('settings.pickup')}>{pickupAddress ?? t('settings.missing')}</Fact>
        <Fact label={t('settings.pickupTime')}>
          {agreedPickupTime ?? t(isSpecialRequest ? 'settings.missing' : 'settings.notUsed')}
        </Fact>
        <Fact label={t('settings.slots')}>{timeSlots.length > 0 ? timeSlots.join(', ') : t('settings.anySlot')}</Fact>
        <Fact label={t('settings.limits')}>{t('settings.limitsValue', { limits: limits.join(' / ') })}</Fact>
        <Fact label={t('settings.sms')}>{smsPerDay === null ? t('settings.default') : format.number(smsPerDay)}</Fact>
        <Fact label={t('settings.retention')}>
          {retentionDays === null ? t('settings.default') : t('settings.days', { count: retentionDays })}
        </Fact>
      </SimpleGrid>
    </Card>
  );
}
