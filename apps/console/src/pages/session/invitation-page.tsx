import { Invitation } from '@navette/ui/pages/session/invitation.tsx';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { enterSession } from '../../session/session.ts';

export default function InvitationPage() {
  const { t } = useTranslation('session');
  const { t: tLayout } = useTranslation('layout');
  return (
    <Invitation
      read={(token) => call('readInvitation', { body: { token } })}
      describe={({ invitedBy, role }) => ({
        title: t('invitation.title'),
        text: t('invitation.text', { who: invitedBy, role: tLayout(`roles.${role}`) }),
      })}
      accept={async (body) => enterSession(await call('acceptInvitation', { body }))}
    />
  );
}
