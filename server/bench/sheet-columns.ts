/** The columns of a made-up sheet. In a file of their own: processes that are measured import nothing else. */
export const sheetColumns = Array.from({ length: 50 }, (_, c) => `x${String(c).padStart(2, '0')}`);
