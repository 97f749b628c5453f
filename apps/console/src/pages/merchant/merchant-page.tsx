import { Badge, Button, Group, SimpleGrid, Stack } from '@mantine/core';
import type { MerchantPage as Page } from '@navette/contract';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { IconEye } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActFrame } from '../../acts/act-frame.tsx';
import { useMay } from '../../session/session.ts';
import { CloseMerchantButton } from './close-merchant.tsx';
import { CreditForm } from './credit-form.tsx';
import { ErrorsCard, KeysCard, MembersCard, WebhooksCard } from './merchant-access.tsx';
import { LedgerCard, MoneyCard } from './merchant-money.tsx';
import { merchantQuery } from './merchant-query.ts';
import { SettingsCard } from './merchant-settings.tsx';
import { VolumesCard } from './merchant-volumes.tsx';
import { PriceSimulation } from './price-simulation.tsx';
import { ViewAsForm } from './view-as-form.tsx';

/** Everything about one merchant. */
export default function MerchantPage() {
  const { id } = useParams({ from: '/staff/merchants/$id' });
  const query = useQuery(merchantQuery(id));
  return (
    <Loaded query={query} skeleton={<CardSkeleton h={640} />}>
      {({ page }) => <Content page={page} />}
    </Loaded>
  );
}

function Content({ page }: { page: Page }) {
  const { t } = useTranslation('merchant');
  const may = useMay();
  const [isCrediting, setIsCrediting] = useState(false);
  const [isViewing, setIsViewing] = useState(false);
  const { merchant } = page;
  const { id, name, email, closedAt, paymentStatus } = merchant;
  return (
    <>
      <PageTitle title={name} text={<Subtitle email={email} status={paymentStatus} isClosed={closedAt !== null} />}>
        {may('support') && !closedAt && (
          <Button variant="default" leftSection={<IconEye size={16} />} onClick={() => setIsViewing(true)}>
            {t('viewAs.open')}
          </Button>
        )}
        {may('money') && !closedAt && <Button onClick={() => setIsCrediting(true)}>{t('credit.open')}</Button>}
        {may('administer') && !closedAt && <CloseMerchantButton merchant={merchant} />}
      </PageTitle>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Stack gap="md">
          <MoneyCard merchant={merchant} />
          <VolumesCard days={page.days} byStatus={page.byStatus} />
          <LedgerCard ledger={page.ledger} />
          <ErrorsCard errors={page.errors} />
        </Stack>
        <Stack gap="md">
          <SettingsCard merchant={merchant} />
          <PriceSimulation accountId={id} slots={merchant.timeSlots} />
          <WebhooksCard webhooks={page.webhooks} />
          <KeysCard keys={page.keys} />
          <MembersCard accountId={id} isClosed={closedAt !== null} members={page.members} />
        </Stack>
      </SimpleGrid>
      {isViewing && (
        <ActFrame title={t('viewAs.title', { name })} isWide={false} onClose={() => setIsViewing(false)}>
          <ViewAsForm account={{ id, name }} />
        </ActFrame>
      )}
      {isCrediting && (
        <ActFrame title={t('credit.title', { name })} isWide={false} onClose={() => setIsCrediting(false)}>
          <CreditForm account={{ id, name }} onDone={() => setIsCrediting(false)} />
        </ActFrame>
      )}
    </>
  );
}

function Subtitle(props: { email: string; status: Page['merchant']['paymentStatus']; isClosed: boolean }) {
  const { t } = useTranslation('merchant');
  const { email, status, isClosed } = props;
  return (
    <Group component="span" gap={8}>
      <span>{email}</span>
      {isClosed && (
        <Badge component="span" color="gray" variant="light" tt="none">
          {t('closed')}
        </Badge>
      )}
      {!isClosed && status !== 'current' && (
        <Badge component="span" color="red.8" tt="none">
          {t(`paymentStatuses.${status}`)}
        </Badge>
      )}
    </Group>
  );
}
