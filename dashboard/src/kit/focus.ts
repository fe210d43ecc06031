/**
 * Takes all of the page but an element, and what the page says at its edge, out of reach of keys and screen readers: for
 * what lies over the page. Returns what gives it back.
 */
export function coverRest(element: Element): () => void {
  const covered: HTMLElement[] = [];
  for (let at = element; at.parentElement && at !== document.body; at = at.parentElement)
    for (const other of at.parentElement.children)
      if (other !== at && other instanceof HTMLElement && !other.inert && !other.matches('[popover]')) {
        other.inert = true;
        covered.push(other);
      }
  return () => {
    for (const one of covered) one.inert = false;
  };
}

/** Gives the focus back to where it was, or to the content of the page where that is gone. */
export function giveBack(element: Element | null): void {
  const target = element instanceof HTMLElement && element.isConnected ? element : document.getElementById('content');
  target?.focus({ preventScroll: true });
}
