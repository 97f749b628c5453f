import first from './first.ts';
import more from './more.ts';

/** All texts, for tests. */
export default { ...first, ...more };
