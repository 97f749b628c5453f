import common from '@navette/ui/i18n/fr/common.ts';
import account from './account.ts';
import developers from './developers.ts';
import errors from './errors.ts';
import imports from './imports.ts';
import layout from './layout.ts';
import messages from './messages.ts';
import newShipment from './new-shipment.ts';
import overview from './overview.ts';
import profile from './profile.ts';
import recurring from './recurring.ts';
import session from './session.ts';
import shipment from './shipment.ts';
import shipments from './shipments.ts';
import team from './team.ts';

export default {
  account,
  common,
  developers,
  errors,
  imports,
  layout,
  messages,
  newShipment,
  overview,
  profile,
  recurring,
  session,
  shipment,
  shipments,
  team,
};
