import { Button, Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { MerchantPage, Role } from '@navette/contract';
import { ROLES } from '@navette/contract/dashboard-roles';
import { LANGUAGES, type Language } from '@navette/ui/language';
import { EmailField } from '@navette/ui/parts/email-field.tsx';
import { Form } from '@navette/ui/parts/form.tsx';
import { useTranslation } from 'react-i18next';
import { ActFailure } from '../../acts/act-failure.tsx';
import { Consequences } from '../../acts/consequences.tsx';
import { ReasonForm } from '../../acts/reason-form.tsx';
import { useAct } from '../../acts/use-act.ts';
import { call } from '../../api/call.ts';
import { useSession } from '../../session/session.ts';

const LANGUAGE_CHOICES = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));

/** Invites a person to the merchant's dashboard. */
export function InviteMemberForm({ accountId, onDone }: { accountId: string; onDone: () => void }) {
  const { t } = useTranslation('merchant');
  const { t: tActs } = useTranslation('acts');
  const { language } = useSession().staff;
  const form = useForm<{ email: string; role: Role; language: Language }>({
    initialValues: { email: '', role: 'owner', language },
  });
  const invite = useAct(
    { onDone, onConflict: () => {} },
    (body: typeof form.values) => call('inviteMerchantMember', { params: { id: accountId }, body }),
    (_answer, { email }) => t('members.invited', { email }),
  );
  return (
    <Form onSubmit={form.onSubmit((values) => invite.mutate(values))}>
      <EmailField label={t('edit.email')} autoComplete="off" required data-autofocus {...form.getInputProps('email')} />
      <Select
        label={t('members.role')}
        data={ROLES.map((value) => ({ value, label: t(`members.roles.${value}`) }))}
        allowDeselect={false}
        {...form.getInputProps('role')}
      />
      <Select
        label={t('members.language')}
        data={LANGUAGE_CHOICES}
        allowDeselect={false}
        {...form.getInputProps('language')}
      />
      <Consequences lines={[t('members.inviteOutcome'), tActs('loggedName')]} />
      <ActFailure error={invite.error} />
      <Button type="submit" loading={invite.isPending}>
        {t('members.invite')}
      </Button>
    </Form>
  );
}

type Member = MerchantPage['members'][number];

interface MemberProps {
  accountId: string;
  member: Member;
  onDone: () => void;
}

export function RemoveMemberForm({ accountId, member: { id, name }, onDone }: MemberProps) {
  const { t } = useTranslation('merchant');
  const params = { id: accountId, memberId: id };
  return (
    <ReasonForm
      isRed
      lines={[t('members.removeOutcome', { name })]}
      submit={t('members.remove')}
      done={t('members.removed', { name })}
      act={(reason) => call('removeMerchantMember', { params, body: { reason } })}
      onDone={onDone}
    />
  );
}

export function ResetSecondFactorForm({ accountId, member: { id, name }, onDone }: MemberProps) {
  const { t } = useTranslation('merchant');
  const params = { id: accountId, memberId: id };
  return (
    <ReasonForm
      isRed
      lines={[t('members.resetCheck'), t('members.resetOutcome', { name })]}
      submit={t('members.reset')}
      done={t('members.resetDone', { name })}
      act={(reason) => call('resetMemberSecondFactor', { params, body: { reason } })}
      onDone={onDone}
    />
  );
}

export function RevokeKeyForm({
  apiKey: { id, name },
  onDone,
}: {
  apiKey: { id: string; name: string };
  onDone: () => void;
}) {
  const { t } = useTranslation('merchant');
  return (
    <ReasonForm
      isRed
      lines={[t('keys.revokeOutcome')]}
      submit={t('keys.revoke')}
      done={t('keys.revokeDone', { name })}
      act={(reason) => call('revokeMerchantKey', { params: { id }, body: { reason } })}
      onDone={onDone}
    />
  );
}
