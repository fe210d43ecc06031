export type OrganizationSearch = {
  /** Whether a workspace is being added. */
  readonly add?: boolean;
};

/** Reads the query of the page's address; what it does not know is left out. */
export const readOrganizationSearch = ({ add }: Readonly<Record<string, unknown>>): OrganizationSearch =>
  add === true ? { add } : {};
