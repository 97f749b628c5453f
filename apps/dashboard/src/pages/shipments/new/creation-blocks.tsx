import { Alert, List } from '@mantine/core';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { ApiError } from '@navette/ui/api-error';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { WayOut } from '../../payments/way-out.tsx';

/** Why the account cannot create shipments now, and the remedy. */
export function CreationBlocks({ blocks }: { blocks: readonly { error: string }[] }) {
  const { t } = useTranslation('newShipment');
  const explain = useExplainError();
  if (blocks.length === 0) return null;
  return (
    <Alert color="orange" icon={<IconLock />} title={t('blockedTitle')}>
      <List size="sm" spacing="xs" listStyleType={blocks.length > 1 ? 'disc' : 'none'}>
        {blocks.map((block) => (
          <List.Item key={block.error}>{explain(new ApiError(403, block))}</List.Item>
        ))}
      </List>
      <WayOut blocks={blocks} />
      <AnchorLink to="/account" c="inherit" underline="always" size="sm" mt="xs" display="inline-block">
        {t('seeAccount')}
      </AnchorLink>
    </Alert>
  );
}
