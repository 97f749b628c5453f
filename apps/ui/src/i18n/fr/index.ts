import common from './common.ts';
import errors from './errors.ts';
import layout from './layout.ts';
import profile from './profile.ts';
import session from './session.ts';

/** Texts of the shared pages and parts. The apps add their own. */
export default { common, errors, layout, profile, session };
