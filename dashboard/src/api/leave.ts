/**
 * Leaves for the sign-in by loading it anew, so that nothing that this tab knows of a person is met by the next one.
 * `address` is of the dashboard.
 */
export function leaveFor(address: string): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(personal)) sessionStorage.removeItem(key);
  } catch {
    // Without storage nothing was kept.
  }
  location.replace(address);
}

/** What begins so in the storage of a tab is of the person who is signed in. */
export const personal = 'lastro.of-person.';
