/** What an alias may be called. */
export const aliasPattern = '^[a-z][a-z0-9-]{0,62}$';
