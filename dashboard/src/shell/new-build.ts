/** After a redeploy an old tab asks for files that are gone: the page is loaded anew, once. */
export function reloadForNewBuild(): void {
  const key = 'lastro.reloaded-at';
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(key) ?? 0);
    if (Date.now() - last < 10_000) return;
    event.preventDefault();
    sessionStorage.setItem(key, String(Date.now()));
    location.reload();
  });
}
