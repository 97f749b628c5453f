import { createContext, useContext } from 'react';

/** Distinguishes the apps of the family in the header and in the tabs of the browser. */
export interface AppIdentity {
  /** The last part of every page title. */
  name: string;
  /** URL of its icon. */
  icon: string;
  /** Beside the brand, where the apps of the family must not be confused. */
  suffix?: string;
}

const IdentityContext = createContext<AppIdentity>({ name: 'Navette', icon: '' });
export const AppIdentityProvider = IdentityContext.Provider;
export const useAppIdentity = () => useContext(IdentityContext);

/** The title of the browser tab. */
export function TabTitle({ title }: { title: string }) {
  return <title>{`${title} · ${useAppIdentity().name}`}</title>;
}
