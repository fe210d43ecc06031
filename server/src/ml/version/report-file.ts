/** The file of a version with what training found, the report of `fit`. */
export const reportFile = 'report.json';
