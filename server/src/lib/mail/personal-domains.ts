import providers from 'email-providers/all.json' with { type: 'json' };

/** Whether mailboxes of a domain are of people, not of a company: those of free mail and of disposable addresses. */
export type IsPersonal = (domain: string) => boolean;

/**
 * The kept list of such domains with what the operator changes in it: `example.com` adds one, `-example.com` takes one
 * off. Mailboxes of domains below one count too.
 */
export function openPersonalDomains(changes: readonly string[]): IsPersonal {
  const known = new Set<string>(providers);
  for (const change of changes) {
    if (change.startsWith('-')) known.delete(change.slice(1));
    else known.add(change);
  }
  return (domain) => {
    const labels = domain.split('.');
    return labels.some((_, at) => known.has(labels.slice(at).join('.')));
  };
}
