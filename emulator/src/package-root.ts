import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of this package: this file is in `src`, or in `dist/emulator/src`. */
export const PACKAGE_ROOT = ['../', '../../../']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((folder) => existsSync(`${folder}bin/navette-emulator.js`)) as string;
