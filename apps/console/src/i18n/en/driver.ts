import type { Translations } from '../translations.ts';

const driver: Translations['driver'] = {
  states: {
    available: 'available',
    unavailable: 'unavailable',
    disabled: 'disabled',
    located: 'position known',
    notLocated: 'position unknown',
    autoAccept: 'accepts automatically',
  },
  runs: { title: 'Parcels under way', empty: 'No parcels under way.' },
  ended: { title: 'Ended today', empty: 'Nothing ended today.' },
  incidents: { title: 'Latest incidents', empty: 'No incidents.', open: 'open' },
  sessions: {
    title: 'Signed-in devices',
    empty: 'No signed-in device.',
    unknownDevice: 'Unknown device',
    used: 'seen on',
    expires: 'expires on',
    end: 'Sign out everywhere',
    askTitle: 'Sign {{name}} out?',
    askText:
      'Every device is signed out at once, as after a stolen phone. The driver can sign in again with the password.',
    done: '{{name}} is signed out everywhere.',
  },
  pay: {
    title: 'Pay of the month',
    total: 'This month',
    balance: 'Balance',
    empty: 'No entries this month.',
    kinds: { correction: 'Correction', run: 'Run' },
  },
};
export default driver;
