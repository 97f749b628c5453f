import type { StaffNeed } from '@navette/contract';
import { STAFF_ROLE_ALLOWS, STAFF_ROLES } from '@navette/contract/console-roles';
import { TabTitle } from '@navette/ui/frame/app-identity.tsx';
import { EmptyState } from '@navette/ui/parts/empty-state.tsx';
import { ButtonLink } from '@navette/ui/parts/links.tsx';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay, useSession } from '../session/session.ts';

/** A page for some roles only. A link to it explains which roles may open it. */
export function NeedsPermission({ need, children }: { need: StaffNeed; children: ReactNode }) {
  const { t, i18n } = useTranslation('layout');
  const { role } = useSession().staff;
  if (useMay()(need)) return children;
  const roles = STAFF_ROLES.filter((one) => STAFF_ROLE_ALLOWS[one].includes(need)).map((one) => t(`roles.${one}`));
  const list = new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(roles);
  return (
    <>
      <TabTitle title={t('notAllowed.title')} />
      <EmptyState
        icon={IconLock}
        title={t('notAllowed.title')}
        text={t('notAllowed.text', { role: t(`roles.${role}`), roles: list })}
      >
        <ButtonLink to="/">{t('notFound.back')}</ButtonLink>
      </EmptyState>
    </>
  );
}
