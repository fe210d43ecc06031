/** The file of a version with what training found, the report of `fit`. */
export const reportFile = 'report.json';

/** The one with its task, features, outputs and fields; its contract and models have files of their own. */
export const programFile = 'program.json';
