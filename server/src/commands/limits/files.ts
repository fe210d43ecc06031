import { lineBytesMax } from '../../lib/files/bytes.ts';
import {
  columnsMax,
  denseBytesFree,
  gzipDensityMax,
  lostBytesMax,
  parquetDensityMax,
} from '../../lib/files/density.ts';
import { nestingMax } from '../../lib/files/jsonl.ts';
import { listNumbersMax } from '../../lib/files/parquet-plan.ts';
import { footerBytesMax, rowGroupsMax } from '../../lib/files/parquet-shape.ts';
import { bytesMax as textBytesMax } from '../../lib/files/texts.ts';
import { partBytesMin } from '../../lib/storage/s3/put.ts';
import { partsMax } from '../../lib/storage/s3/upload.ts';
import { samplesMax } from '../../ml/contract/deviation.ts';
import { nameLengthMax } from '../../ml/contract/size.ts';
import { sendingMs } from '../../resources/files/expire.ts';
import { filesPerUploadMax, pathLengthMax, uploadLifetimeMs } from '../../resources/files/file.ts';
import { partsMax as filePartsMax } from '../../resources/files/receive-at-offset.ts';
import { fieldBytesMax, fieldsMax } from '../../resources/files/receive-parts.ts';
import { filesMax } from '../../resources/ingestions/routes.ts';
import type { LimitCode, LimitSection } from './limit.ts';
import { bytes, characters, count, durationOfMs } from './units.ts';

/** Of a file as a whole: in an ingestion, in a batch when it is looked at, and when it is read further. */
const ofFile: readonly LimitCode[] = ['unreadable_file', 'file_unreadable', 'limit_exceeded'];

export const fileLimits: LimitSection = {
  title: 'Files',
  about:
    'A file has no largest size, other than by SFTP. What an ingestion finds wrong with a file is a rule of its deviations: `unreadable_file`, `unreadable_row`, `wrong_type`. A batch fails the file alone, with `file_unreadable`, or with `limit_exceeded` where it shows only as rows are read; of a row it says `unreadable_row` or `invalid_input`. A file with labels fails the training run with `limit_exceeded`.',
  limits: [
    [
      'Files that are declared at once',
      count(filesPerUploadMax),
      ['schema_mismatch'],
      'Declare them in several requests.',
    ],
    [
      'Path of a file',
      characters(pathLengthMax),
      ['schema_mismatch', 'limit_exceeded'],
      'Take a shorter one: it is a label of yours.',
    ],
    [
      'Time until the sending of a file begins, from its declaration',
      durationOfMs(uploadLifetimeMs),
      ['signature_expired'],
      'Send the declaration again with its Idempotency-Key, for new addresses.',
    ],
    [
      'Time until a file has arrived, from when its address ended',
      durationOfMs(sendingMs),
      ['file_deleted', 'not_found'],
      'Declare it anew, and send it as several smaller files.',
    ],
    [
      'A file that is sent without Content-Length, or as a part of a request, where storage is S3',
      bytes(partBytesMin * partsMax),
      ['limit_exceeded'],
      'Declare it, and send its Content-Length.',
    ],
    [
      'Parts in which a file is sent, each from where the one before broke off',
      count(filePartsMax),
      ['limit_exceeded'],
      'Send larger parts, or declare the file anew.',
    ],
    [
      'Parts of a request that are no files',
      `${count(fieldsMax)}, of ${bytes(fieldBytesMax)} each`,
      ['limit_exceeded'],
      'Send what is longer as JSON, or as a file.',
    ],
    [
      'Files of an ingestion',
      count(filesMax),
      ['schema_mismatch', 'limit_exceeded'],
      'Take them in by several ingestions.',
    ],
    ['Name of a table in an ingestion', characters(nameLengthMax), ['schema_mismatch'], 'Take a shorter one.'],
    ['Columns of a file', count(columnsMax), ofFile, 'Leave out what is empty, or split the table by its key.'],
    [
      'Size of a row: a line of CSV or JSONL, or the texts of a row of Parquet',
      bytes(lineBytesMax),
      ['unreadable_row'],
      'Close the quote that is open, or leave the long text out.',
    ],
    [
      'Bytes of a file in rows that are too long',
      bytes(lostBytesMax),
      ofFile,
      'Correct the rows: a quote is lost, or the file is no table.',
    ],
    [
      'Levels of lists and objects in a value of JSONL',
      count(nestingMax),
      ['wrong_type', 'invalid_input'],
      'Send it flatter.',
    ],
    [
      `What gzip unpacks to, beyond ${bytes(denseBytesFree)}`,
      `${count(gzipDensityMax)} times its size`,
      ofFile,
      'Split the file, or leave out columns that repeat one value.',
    ],
    [
      `What Parquet unpacks to, beyond ${bytes(denseBytesFree)}`,
      `${count(parquetDensityMax)} times its size`,
      ofFile,
      'Split the file, or leave out columns that repeat one value.',
    ],
    ['Row groups of Parquet', count(rowGroupsMax), ofFile, 'Write more rows in each.'],
    ['Footer of Parquet', bytes(footerBytesMax), ofFile, 'Write it with fewer row groups or columns, or split it.'],
    [
      'Values in the lists of one column in one row group of Parquet',
      count(listNumbersMax),
      ofFile,
      'Write it with smaller row groups.',
    ],
    [
      'Different texts of a column of a table, together',
      bytes(textBytesMax),
      ['limit_exceeded'],
      'Leave the column out, or the free text in it.',
    ],
    [
      'Rows that a deviation shows',
      count(samplesMax),
      [],
      'All are counted: correct those that are shown, and others like them.',
    ],
  ],
};
