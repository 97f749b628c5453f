import addresses from './addresses.ts';
import developers from './developers.ts';
import imports from './imports.ts';
import messages from './messages.ts';
import newShipment from './new-shipment.ts';
import notifications from './notifications.ts';
import profile from './profile.ts';
import recurring from './recurring.ts';
import team from './team.ts';

/** Subjects of single pages, loaded with the first of them. */
export default { addresses, developers, imports, messages, newShipment, notifications, profile, recurring, team };
