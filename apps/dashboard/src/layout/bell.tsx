import { ActionIcon } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from './bell.module.css';
import { notificationsQuery } from './notifications-query.ts';

/** In the header: how many notifications the member has not seen. */
export function Bell() {
  const { t } = useTranslation('layout');
  const { data } = useQuery(notificationsQuery);
  const unread = data?.unread ?? 0;
  return (
    <ActionIcon
      variant="default"
      size={34}
      className={classes.bell ?? ''}
      aria-label={unread > 0 ? t('bell.unread', { count: unread }) : t('bell.title')}
      renderRoot={(props) => <Link to="/notifications" {...props} />}
    >
      <IconBell size={18} stroke={1.6} />
      {unread > 0 && (
        <span className={classes.count} aria-hidden>
          {unread > 9 ? '9+' : unread}
        </span>
      )}
    </ActionIcon>
  );
}
