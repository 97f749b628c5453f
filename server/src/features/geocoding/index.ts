export { createLocator, knownCoordinates, type Locator } from './locator.ts';
