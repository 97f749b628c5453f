import { Group, Paper, Stack, Text } from '@mantine/core';
import type { Overview } from '@navette/contract';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMaySee } from '../../session/session.ts';
import { WayOut } from '../payments/way-out.tsx';

/** Problems that need attention, each with a link to the page that solves it. */
export function Attention({ overview }: { overview: Overview }) {
  const { t } = useTranslation(['overview', 'account']);
  const maySee = useMaySee();
  const { unassigned, recurring } = overview.attention;
  // The first of the first steps is to add the address.
  const isListed = (error: string) => overview.firstSteps.shipmentCreated || error !== 'PICKUP_ADDRESS_REQUIRED';
  const blocks = overview.attention.blocks.filter(({ error }) => isListed(error));
  const { failing, paused } = overview.webhooks;
  if (blocks.length + unassigned + recurring + failing.length + paused.length === 0) return null;
  const colour = `var(--mantine-color-${blocks.length > 0 ? 'red' : 'yellow'}-filled)`;
  const seeWebhooks = maySee('develop') ? (
    <AnchorLink to="/developers/webhooks" size="sm" underline="always">
      {t('attention.seeThem')}
    </AnchorLink>
  ) : (
    t('attention.tellDeveloper')
  );
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-label={t('attention.title')}
      style={{ borderLeft: `4px solid ${colour}` }}
    >
      <Stack gap={6}>
        <Group gap="xs">
          <IconAlertTriangle size={18} color={colour} aria-hidden />
          <Text fw={600}>{t('attention.title')}</Text>
        </Group>
        {blocks.map(({ error }) => (
          <Text key={error} size="sm">
            {t(`account:blocks.${error}.short`)}{' '}
            <AnchorLink to="/account" size="sm" underline="always">
              {t('attention.whatToDo')}
            </AnchorLink>
          </Text>
        ))}
        {blocks.length > 0 && <WayOut blocks={blocks} />}
        {unassigned > 0 && (
          <Text size="sm">
            {t('attention.unassigned', { count: unassigned })}{' '}
            <AnchorLink to="/shipments" search={{ status: ['created'] }} size="sm" underline="always">
              {t('attention.seeThem')}
            </AnchorLink>
          </Text>
        )}
        {recurring > 0 && (
          <Text size="sm">
            {t('attention.recurring', { count: recurring })}{' '}
            <AnchorLink to="/recurring" size="sm" underline="always">
              {t('attention.seeThem')}
            </AnchorLink>
          </Text>
        )}
        {failing.length > 0 && (
          <Text size="sm">
            {t('attention.failing', { count: failing.length })} {seeWebhooks}
          </Text>
        )}
        {paused.length > 0 && (
          <Text size="sm">
            {t('attention.paused', { count: paused.length })} {seeWebhooks}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
