/** The queue of mails to be sent. */
export const mailQueue = 'mails';
