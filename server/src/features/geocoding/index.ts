export { addressHash, createLocator, GEOCODED_KEPT_DAYS, knownCoordinates, type Locator } from './locator.ts';
