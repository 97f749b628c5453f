import { Alert, Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { IconInfoCircle, IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../session/session.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { OpenInvitations } from './open-invitations.tsx';
import { RoleTable } from './role-table.tsx';
import { StaffList } from './staff-list.tsx';
import { staffQuery } from './staff-query.ts';

export default function StaffPage() {
  const { t } = useTranslation('staff');
  const isAdmin = useMay()('administer');
  const query = useQuery(staffQuery);
  const [opened, { open, close }] = useDisclosure();
  return (
    <Stack gap="lg" maw={1120}>
      <PageTitle title={t('title')} text={t('text')}>
        {isAdmin && (
          <Button leftSection={<IconUserPlus size={18} />} onClick={open}>
            {t('invite')}
          </Button>
        )}
      </PageTitle>
      {!isAdmin && (
        <Alert variant="light" icon={<IconInfoCircle />}>
          {t('onlyAdmins')}
        </Alert>
      )}
      <Loaded query={query} skeleton={<CardSkeleton h={640} />}>
        {({ staff, invitations }) => (
          <>
            <StaffList staff={staff} />
            {invitations.length > 0 && <OpenInvitations invitations={invitations} />}
            <RoleTable />
          </>
        )}
      </Loaded>
      <InviteDialog opened={opened} onClose={close} />
    </Stack>
  );
}
