import { createContext, useContext } from 'react';

/**
 * The zone of the workspace in which a page acts, on whose clocks it says all moments: those of its own acts and those
 * as of which something is asked, which end with days of the workspace. Undefined where there is no workspace: those
 * pages are on the clock of the browser.
 */
export const TimeZoneContext = createContext<string | undefined>(undefined);

export const useTimeZone = (): string | undefined => useContext(TimeZoneContext);
