import type { Block } from './blocks.ts';
import type { Say } from './say.ts';
import { changes } from './sections/changes.ts';
import { data } from './sections/data.ts';
import { fairness } from './sections/fairness.ts';
import { governance } from './sections/governance.ts';
import { limits } from './sections/limits.ts';
import { methodology, purpose } from './sections/method.ts';
import { monitoring } from './sections/monitoring.ts';
import { calibration, performance, stability } from './sections/performance.ts';
import { reasons } from './sections/reasons.ts';
import { validation } from './sections/validation.ts';
import type { Told } from './told.ts';
import type { Words } from './words/en.ts';

/** A section of the document: its heading, and what it says of a version. */
type Section = {
  readonly heading: keyof Words['headings'];
  readonly blocks: (told: Told, say: Say) => readonly Block[];
};

/**
 * The sections in order. They follow what supervisors ask of the documentation of models (Federal Reserve SR 11-7;
 * Banco Central do Brasil on internal models): purpose, data, design, limits, outcomes, monitoring, governance.
 */
export const sections: readonly Section[] = [
  { heading: 'purpose', blocks: purpose },
  { heading: 'data', blocks: data },
  { heading: 'methodology', blocks: methodology },
  { heading: 'limits', blocks: limits },
  { heading: 'performance', blocks: performance },
  { heading: 'calibration', blocks: calibration },
  { heading: 'stability', blocks: stability },
  { heading: 'validation', blocks: validation },
  { heading: 'fairness', blocks: fairness },
  { heading: 'reasons', blocks: reasons },
  { heading: 'monitoring', blocks: monitoring },
  { heading: 'governance', blocks: governance },
  { heading: 'changes', blocks: changes },
];
