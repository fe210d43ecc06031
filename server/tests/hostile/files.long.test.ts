/** The hostile files of hundreds of megabytes, or of a million rows. */
import { hostileFiles } from './files.ts';
import { takeHostile } from './take-hostile.ts';

takeHostile(hostileFiles.filter(({ isLarge }) => isLarge));
