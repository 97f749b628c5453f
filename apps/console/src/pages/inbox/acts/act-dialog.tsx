import { Drawer, Modal } from '@mantine/core';
import type { InboxAct, InboxEntry } from '@navette/contract';
import { INBOX_KINDS } from '@navette/contract/console-inbox-kinds';
import { useReturnFocus } from '@navette/ui/parts/use-return-focus.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Conflict } from '../conflict.ts';
import { useDescribeEntry } from '../use-describe-entry.ts';
import { AskMerchant } from './ask-merchant.tsx';
import { AssignDriver } from './assign-driver.tsx';
import { ConfirmDelivery } from './confirm-delivery.tsx';
import { DecideEntry } from './decide-entry.tsx';
import { LocateAddress } from './locate-address.tsx';
import { ReadRunbook } from './read-runbook.tsx';
import { ResolveIncident } from './resolve-incident.tsx';
import { ResumeWebhook, RetryMessage } from './simple-acts.tsx';

interface Props {
  entry: InboxEntry;
  onClose: () => void;
  onConflict: (conflict: Conflict) => void;
}

/** The dialog of an entry's next act. */
export function ActDialog({ entry, onClose, onConflict }: Props) {
  const { t } = useTranslation('acts');
  const { why } = useDescribeEntry()(entry);
  const { act } = INBOX_KINDS[entry.kind];
  const props = { subject: entry.subject, why, onDone: onClose, onConflict };
  const ofEntry = { entry, onDone: onClose };
  const contents: Record<InboxAct, () => ReactNode> = {
    assign: () => <AssignDriver {...props} />,
    // When both are missing, the pickup comes first: the driver search starts from it.
    locate: () => (
      <LocateAddress {...props} address={String(entry.facts.missing).startsWith('pickup') ? 'pickup' : 'delivery'} />
    ),
    confirm_delivery: () => <ConfirmDelivery {...props} />,
    resolve_incident: () => <ResolveIncident {...props} />,
    resume_webhook: () => <ResumeWebhook {...props} />,
    retry_message: () => <RetryMessage {...props} />,
    decide: () => <DecideEntry {...ofEntry} />,
    read_runbook: () => <ReadRunbook {...ofEntry} />,
    open_account: () => <AskMerchant {...ofEntry} />,
    call_driver: () => <AskMerchant {...ofEntry} />,
    call_merchant: () => <AskMerchant {...ofEntry} />,
  };
  return (
    <ActFrame title={t(`titles.${act}`, { title: entry.subject.title })} isWide={act === 'assign'} onClose={onClose}>
      {contents[act]()}
    </ActFrame>
  );
}

interface FrameProps {
  title: string;
  /** It has a list and opens at the side. */
  isWide: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The dialog of an act. */
export function ActFrame({ title, isWide, onClose, children }: FrameProps) {
  const { t } = useTranslation();
  useReturnFocus();
  const frame = { opened: true, onClose, title, closeButtonProps: { 'aria-label': t('close') }, returnFocus: false };
  return isWide ? (
    <Drawer {...frame} position="right" size={520}>
      {children}
    </Drawer>
  ) : (
    <Modal {...frame} size="lg">
      {children}
    </Modal>
  );
}
