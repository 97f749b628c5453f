import common from '@navette/ui/i18n/fr/common.ts';
import account from './account.ts';
import errors from './errors.ts';
import layout from './layout.ts';
import overview from './overview.ts';
import payments from './payments.ts';
import session from './session.ts';
import shipment from './shipment.ts';
import shipments from './shipments.ts';

/** Subjects of the first pages and of the frame. */
export default { account, common, errors, layout, overview, payments, session, shipment, shipments };
