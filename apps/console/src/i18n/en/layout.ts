import shared from '@navette/ui/i18n/en/layout.ts';
import type { Translations } from '../translations.ts';

const layout: Translations['layout'] = {
  ...shared,
  sections: { company: 'Company' },
  pages: {
    inbox: 'Needs attention',
    dispatch: 'Dispatch',
    map: 'Map',
    approvals: 'Approvals',
    figures: 'Figures',
    merchants: 'Merchants',
    payments: 'Payments',
    invoices: 'Invoices',
    drivers: 'Drivers',
    staff: 'Staff',
    log: 'Log of acts',
  },
  roles: {
    dispatcher: 'Dispatcher',
    support: 'Support',
    accountant: 'Accountant',
    admin: 'Administrator',
  },
  notAllowed: {
    title: 'Your role does not include this page',
    text: 'Your role is “{{role}}”. This page is for the role: {{roles}}. Ask an administrator.',
  },
  notFound: { ...shared.notFound, back: 'Back to what needs attention' },
};
export default layout;
