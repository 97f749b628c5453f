import { Drawer, Modal } from '@mantine/core';
import type { InboxEntry } from '@navette/contract';
import { INBOX_KINDS } from '@navette/contract/console-inbox-kinds';
import { useReturnFocus } from '@navette/ui/parts/use-return-focus.ts';
import { useTranslation } from 'react-i18next';
import type { Conflict } from '../conflict.ts';
import { AskMerchant } from './ask-merchant.tsx';
import { AssignDriver } from './assign-driver.tsx';
import { ConfirmDelivery } from './confirm-delivery.tsx';
import { DecideEntry } from './decide-entry.tsx';
import { LocateAddress } from './locate-address.tsx';
import { ReadRunbook } from './read-runbook.tsx';
import { ResolveIncident } from './resolve-incident.tsx';
import { ResumeWebhook, RetryMessage } from './simple-acts.tsx';

const ACTS = {
  assign: AssignDriver,
  locate: LocateAddress,
  confirm_delivery: ConfirmDelivery,
  resolve_incident: ResolveIncident,
  resume_webhook: ResumeWebhook,
  retry_message: RetryMessage,
  decide: DecideEntry,
  read_runbook: ReadRunbook,
  open_account: AskMerchant,
  call_driver: AskMerchant,
  call_merchant: AskMerchant,
};

interface Props {
  entry: InboxEntry;
  onClose: () => void;
  onConflict: (conflict: Conflict) => void;
}

/** The dialog of an entry's next act. Assigning needs space for a list, so it opens at the side. */
export function ActDialog({ entry, onClose, onConflict }: Props) {
  const { t } = useTranslation('acts');
  const { t: tCommon } = useTranslation();
  useReturnFocus();
  const { act } = INBOX_KINDS[entry.kind];
  const Act = ACTS[act];
  const frame = {
    opened: true,
    onClose,
    title: t(`titles.${act}`, { title: entry.subject.title }),
    closeButtonProps: { 'aria-label': tCommon('close') },
    returnFocus: false,
  };
  const content = <Act entry={entry} onDone={onClose} onConflict={onConflict} />;
  if (act === 'assign') {
    return (
      <Drawer {...frame} position="right" size={520}>
        {content}
      </Drawer>
    );
  }
  return (
    <Modal {...frame} size="lg">
      {content}
    </Modal>
  );
}
