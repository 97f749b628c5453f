import first from './first.ts';
import more from './more.ts';

/** All texts, for their types. */
export default { ...first, ...more };
