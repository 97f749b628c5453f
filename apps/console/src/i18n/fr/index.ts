import common from '@navette/ui/i18n/fr/common.ts';
import profile from '@navette/ui/i18n/fr/profile.ts';
import acts from './acts.ts';
import approvals from './approvals.ts';
import dispatch from './dispatch.ts';
import driver from './driver.ts';
import errors from './errors.ts';
import figures from './figures.ts';
import inbox from './inbox.ts';
import invoices from './invoices.ts';
import layout from './layout.ts';
import log from './log.ts';
import map from './map.ts';
import merchant from './merchant.ts';
import payments from './payments.ts';
import search from './search.ts';
import session from './session.ts';
import shipment from './shipment.ts';
import staff from './staff.ts';

export default {
  acts,
  approvals,
  common,
  dispatch,
  driver,
  errors,
  figures,
  inbox,
  invoices,
  layout,
  log,
  map,
  merchant,
  payments,
  profile: {
    ...profile,
    singleSignOn:
      'Vous vous connectez avec votre fournisseur d’identité : il gère aussi votre mot de passe et votre rôle.',
  },
  search,
  session,
  shipment,
  staff,
};
