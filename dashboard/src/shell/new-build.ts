const key = 'lastro.reloaded-at';
const pauseMs = 10_000;

/**
 * Imports a part of the dashboard that is loaded late. After a redeploy an old tab asks for files that are gone: the
 * page is then loaded anew, once. The router does the same for pages, when they are opened and not when they are only
 * pointed at.
 */
export async function importPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (Date.now() - Number(sessionStorage.getItem(key) ?? 0) < pauseMs) throw error;
    sessionStorage.setItem(key, String(Date.now()));
    location.reload();
    return new Promise(() => {});
  }
}
