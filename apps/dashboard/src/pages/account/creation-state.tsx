import { Alert, Code, Group, List, Stack, Text, ThemeIcon } from '@mantine/core';
import type { AccountPage, Block, BlockSlug } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Card } from '@navette/ui/parts/card.tsx';
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMaySee } from '../../session/session.ts';
import { WayOut } from '../payments/way-out.tsx';

// In the order in which the API checks them; the type keeps the list complete.
const CHECKS: Record<BlockSlug, true> = {
  CLIENT_TYPE_REQUIRED: true,
  CONTRACT_SIGNATURE_REQUIRED: true,
  PICKUP_ADDRESS_REQUIRED: true,
  ACCOUNT_SUSPENDED: true,
  PAYMENT_REQUIRED: true,
  INSUFFICIENT_BALANCE: true,
};

/** Preconditions for creating shipments, each met or with its remedy. The API refuses with the first unmet one. */
export function CreationState({ page }: { page: AccountPage }) {
  const { t } = useTranslation('account');
  const blocks = new Map(page.blocks.map((block) => [block.error, block]));
  const slugs = (Object.keys(CHECKS) as BlockSlug[]).filter(
    (slug) => slug !== 'INSUFFICIENT_BALANCE' || page.account.paymentMode === 'prepaid',
  );
  return (
    <Card title={t('creation.title')}>
      {blocks.size > 0 && (
        <Alert color="red" icon={<IconAlertTriangle />} mb="md" title={t('creation.blocked')}>
          {t('creation.blockedText')}
          {/* The address is entered on this page. */}
          <WayOut blocks={page.blocks.filter(({ error }) => error !== 'PICKUP_ADDRESS_REQUIRED')} />
        </Alert>
      )}
      <List listStyleType="none" spacing="md" center={false}>
        {slugs.map((slug) => (
          <Check key={slug} slug={slug} block={blocks.get(slug)} />
        ))}
      </List>
    </Card>
  );
}

function Check({ slug, block }: { slug: BlockSlug; block: Block | undefined }) {
  const { t } = useTranslation('account');
  const format = useFormat();
  const mayDevelop = useMaySee()('develop');
  const amounts = {
    due: format.money(block?.amountDue ?? 0),
    balance: format.money(block?.currentBalance ?? 0),
    required: format.money(block?.requiredAmount ?? 0),
  };
  return (
    <List.Item>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <ThemeIcon radius="xl" size={24} color={block ? 'red' : 'green'} variant="light">
          {block ? (
            <IconX size={15} aria-label={t('creation.missing')} />
          ) : (
            <IconCheck size={15} aria-label={t('creation.fine')} />
          )}
        </ThemeIcon>
        <Stack gap={2}>
          <Text fw={block ? 600 : 400}>{t(`blocks.${slug}.check`)}</Text>
          {block && (
            <Text size="sm" c="dimmed">
              {t(`blocks.${slug}.todo`, amounts)}
            </Text>
          )}
          {block && mayDevelop && (
            <Text size="xs" c="dimmed">
              {t('creation.apiCode')} <Code>{slug}</Code>
            </Text>
          )}
        </Stack>
      </Group>
    </List.Item>
  );
}
