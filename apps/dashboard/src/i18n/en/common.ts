import type { Words } from '../words.ts';

const common: Words['common'] = {
  retry: 'Try again',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  copy: 'Copy',
  copied: 'Copied',
  copyWhat: 'Copy: {{what}}',
  more: 'Show more',
  failedToLoad: 'This part could not be shown',
  saved: 'Saved',
  yes: 'Yes',
  no: 'No',
  statuses: {
    programmed: 'Programmed',
    created: 'Created',
    assigned: 'Assigned',
    picked_up: 'Picked up',
    in_transit: 'On its way',
    delivered: 'Delivered',
    cancelled: 'Cancelled',
  },
};
export default common;
