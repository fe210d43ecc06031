/** What the operator of an installation switches on for an organization. */
export const features = ['sftp', 'sso'] as const;
export type Feature = (typeof features)[number];
