import { Alert, List } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/api-error.ts';
import { useExplainError } from '../../../api/use-explain-error.ts';
import { AnchorLink } from '../../../shared/links.tsx';

/** Why nothing can be created now, and what to do about it. */
export function Obstacles({ obstacles }: { obstacles: readonly { error: string; message: string }[] }) {
  const { t } = useTranslation('newShipment');
  const explain = useExplainError();
  if (obstacles.length === 0) return null;
  return (
    <Alert color="orange" icon={<IconLock />} title={t('blockedTitle')}>
      <List size="sm" spacing="xs" listStyleType={obstacles.length > 1 ? 'disc' : 'none'}>
        {obstacles.map((obstacle) => (
          <List.Item key={obstacle.error}>{explain(new ApiError(403, obstacle))}</List.Item>
        ))}
      </List>
      <AnchorLink to="/account" c="inherit" underline="always" size="sm" mt="xs" display="inline-block">
        {t('seeAccount')}
      </AnchorLink>
    </Alert>
  );
}
