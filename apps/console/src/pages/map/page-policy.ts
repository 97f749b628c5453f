/**
 * A page keeps the content policy with which it was loaded. Only the page of the map may load a style of another origin
 * (server/src/http/web-app.ts), so the browser loads the page again when the map is opened from another page, and when it
 * is left.
 */
const MAP_PATH = '/console/map';
const [loaded] = performance.getEntriesByType('navigation'); // its name is the address of the document
export const wasLoadedForMap = loaded !== undefined && new URL(loaded.name).pathname === MAP_PATH;

export function loadPageAgain(): void {
  window.location.reload();
}
