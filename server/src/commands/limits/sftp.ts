import { fileBytesMax, fileRowsMax, incompleteMs, sameMs, shownMs } from '../../resources/sftp-files/sftp-file.ts';
import { rejectsMax, toldOfNameMax } from '../../resources/sftp-files/told.ts';
import { publicKeyLengthMax, publicKeysMax, usersMax } from '../../resources/sftp-users/sftp-user.ts';
import { sftpLimits } from '../../sftp/door.ts';
import type { Limit, LimitSection } from './limit.ts';
import { characters, count, days, durationOfMs, gigabytes } from './units.ts';

const hungUp = 'The connection is ended as it signs in: close others.';

/** Connections are those of a process, as all that is open is. */
const connections: readonly Limit[] = [
  ['Connections by SFTP', count(sftpLimits.connectionsMax), [], 'The connection is ended: connect again later.'],
  [
    'Connections by SFTP from one address',
    count(sftpLimits.connectionsPerAddress),
    [],
    'The connection is ended: close others.',
  ],
  ['Connections of one SFTP user', count(sftpLimits.connectionsPerUser), [], hungUp],
  ['Connections of the SFTP users of a workspace', count(sftpLimits.connectionsPerWorkspace), [], hungUp],
  [
    'Channels of a connection by SFTP',
    count(sftpLimits.channelsMax),
    [],
    'The channel is refused: use those that are open, or connect again.',
  ],
  [
    'Files and folders that are open in a channel',
    count(sftpLimits.handlesMax),
    [],
    'The opening is refused: close some.',
  ],
  [
    'Attempts to sign in of a connection by SFTP',
    count(sftpLimits.attemptsMax),
    [],
    'The connection is ended: name the one key that lets the client in.',
  ],
  [
    'Time in which a client of SFTP signs in',
    durationOfMs(sftpLimits.signInMs),
    [],
    'The connection is ended: connect again.',
  ],
  [
    'Time without a request by SFTP, while none is being answered',
    durationOfMs(sftpLimits.idleMs),
    [],
    'The connection is ended: connect again, and go on with what was begun.',
  ],
  [
    'Time that a connection by SFTP stays',
    durationOfMs(sftpLimits.connectionMs),
    [],
    'The connection is ended: connect again, and go on with what was begun.',
  ],
];

const files: readonly Limit[] = [
  [
    'A file that is sent by SFTP',
    gigabytes(fileBytesMax),
    [],
    'The writing is refused, and the log of the file says so: split it.',
  ],
  ['Rows of a file that is sent by SFTP', count(fileRowsMax), [], 'No batch is made, and the log says so: split it.'],
  [
    'Files of a workspace that are being sent by SFTP, together',
    gigabytes(sftpLimits.spooledBytesMax),
    [],
    'The writing is refused: send the rest when other files are whole.',
  ],
  [
    'Time in which the rest of a file is sent whose line dropped',
    durationOfMs(incompleteMs),
    [],
    'What there was of it is removed: send all of it.',
  ],
  [
    'Time in which the same bytes under the same name by SFTP are the same file',
    durationOfMs(sameMs),
    [],
    'After it they are another batch.',
  ],
  [
    'Time that files, results and logs are shown by SFTP',
    days(shownMs),
    [],
    'They are removed from there: batches and results stay in the API.',
  ],
  [
    'Rows of a file of rejects in batch/out',
    count(rejectsMax),
    [],
    'The others are left out: the errors of the batch in the API are all of them.',
  ],
  [
    'Files of one name that its log in batch/logs tells of',
    count(toldOfNameMax),
    [],
    'The oldest are left out: the API has all of them.',
  ],
];

export const sftpLimitSection: LimitSection = {
  title: 'SFTP',
  about:
    'Connections, and what is being sent, are of each process that serves SFTP. A refusal is a failure of SFTP with a sentence.',
  limits: [
    ['SFTP users of a workspace', count(usersMax), ['limit_exceeded'], 'Delete those that you no longer use.'],
    ['Public keys of an SFTP user', count(publicKeysMax), ['schema_mismatch'], 'Make another user.'],
    ['A public key', characters(publicKeyLengthMax), ['schema_mismatch'], 'Send the line of the .pub file alone.'],
    ...connections,
    ...files,
  ],
};
