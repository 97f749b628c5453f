import type fr from '../fr/common.ts';
import type { Texts } from '../texts.ts';

const common: Texts<typeof fr> = {
  retry: 'Try again',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  copy: 'Copy',
  copied: 'Copied',
  copyWhat: 'Copy: {{what}}',
  more: 'Show more',
  failedToLoad: 'This section could not be loaded',
  saved: 'Saved',
  yes: 'Yes',
  no: 'No',
  statuses: {
    programmed: 'Scheduled',
    created: 'Created',
    assigned: 'Assigned',
    picked_up: 'Picked up',
    in_transit: 'On the way',
    delivered: 'Delivered',
    cancelled: 'Cancelled',
  },
};
export default common;
