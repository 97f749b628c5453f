import common from '@navette/ui/i18n/en/common.ts';
import profile from '@navette/ui/i18n/en/profile.ts';
import type { Translations } from '../translations.ts';
import acts from './acts.ts';
import approvals from './approvals.ts';
import errors from './errors.ts';
import inbox from './inbox.ts';
import layout from './layout.ts';
import log from './log.ts';
import session from './session.ts';
import staff from './staff.ts';

const texts: Translations = {
  acts,
  approvals,
  common,
  errors,
  inbox,
  layout,
  log,
  profile: {
    ...profile,
    singleSignOn: 'You sign in with your identity provider, which also manages your password and role.',
  },
  session,
  staff,
};
export default texts;
