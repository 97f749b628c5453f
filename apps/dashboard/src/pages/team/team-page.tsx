import { Alert, Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { IconInfoCircle, IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useMay, useMaySee, useSession } from '../../session/session.ts';
import { InvitationsCard } from './invitations-card.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { MembersCard } from './members-card.tsx';
import { SecurityLogCard } from './security-log-card.tsx';
import { teamQuery } from './team-queries.ts';

export default function TeamPage() {
  const { t } = useTranslation('team');
  const isOwner = useMay()('own');
  const seesLog = useMaySee()('own');
  const isView = useSession().view !== null;
  const query = useQuery(teamQuery);
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <PageTitle title={t('title')} text={t('text')}>
        {isOwner && (
          <Button leftSection={<IconUserPlus size={18} stroke={1.6} />} onClick={open}>
            {t('invite')}
          </Button>
        )}
      </PageTitle>
      <Stack gap="lg">
        {!isOwner && !isView && (
          <Alert variant="light" color="gray" icon={<IconInfoCircle />}>
            {t('onlyOwners')}
          </Alert>
        )}
        <Loaded query={query} skeleton={<CardSkeleton h={180} />}>
          {({ members, invitations }) => (
            <>
              <MembersCard members={members} />
              {invitations.length > 0 && <InvitationsCard invitations={invitations} />}
            </>
          )}
        </Loaded>
        {seesLog && <SecurityLogCard />}
      </Stack>
      <InviteDialog opened={opened} onClose={close} />
    </>
  );
}
