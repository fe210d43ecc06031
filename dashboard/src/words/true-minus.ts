/** A written number with a true minus, and with none before what is written as nothing. */
export const trueMinus = (text: string): string => text.replace('-', /[1-9]/.test(text) ? '−' : '');
