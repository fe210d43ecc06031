export const securityTabs = ['sso', 'addresses', 'policy'] as const;
export type SecuritySearch = { readonly tab?: (typeof securityTabs)[number] };

/** Reads the query of the page's address; what it does not know is left out. */
export const readSecuritySearch = ({ tab }: Readonly<Record<string, unknown>>): SecuritySearch =>
  securityTabs.some((one) => one === tab) ? { tab: tab as SecuritySearch['tab'] } : {};
