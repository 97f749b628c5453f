import common from '@navette/ui/i18n/fr/common.ts';
import profile from '@navette/ui/i18n/fr/profile.ts';
import acts from './acts.ts';
import approvals from './approvals.ts';
import errors from './errors.ts';
import inbox from './inbox.ts';
import layout from './layout.ts';
import log from './log.ts';
import session from './session.ts';
import staff from './staff.ts';

export default {
  acts,
  approvals,
  common,
  errors,
  inbox,
  layout,
  log,
  profile: {
    ...profile,
    singleSignOn:
      'Vous vous connectez avec votre fournisseur d’identité : il gère aussi votre mot de passe et votre rôle.',
  },
  session,
  staff,
};
