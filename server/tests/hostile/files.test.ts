/** Every hostile file given to one service, which goes on answering. */
import { hostileFiles } from './files.ts';
import { takeHostile } from './take-hostile.ts';

takeHostile(hostileFiles.filter(({ isLarge }) => !isLarge));
