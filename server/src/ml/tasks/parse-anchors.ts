import { microsecondsPerDay } from '../contract/contract.ts';
import { type Reading, readFields } from '../contract/yaml.ts';
import { type AnchorLayout, anchorMomentsMax } from './target.ts';
import { readDay, readDays } from './task-fields.ts';

/** Reads the field `anchors`. */
export function readAnchors(reading: Reading, value: unknown): AnchorLayout {
  const given = readFields(reading, value, ['anchors'], { every: 'any', from: 'any', until: 'any', once: 'boolean' });
  const { every, from, until } = given;
  const anchors: AnchorLayout = {
    ...(every === undefined ? {} : { everyDays: readDays(reading, every, ['anchors', 'every']) }),
    ...(given.once === true ? { isOnce: true } : {}),
    ...(from === undefined ? {} : { from: readDay(reading, from, ['anchors', 'from']) }),
    ...(until === undefined ? {} : { until: readDay(reading, until, ['anchors', 'until']) }),
  };
  if (anchors.from === undefined || anchors.until === undefined) return anchors;
  if (anchors.until < anchors.from) reading.problem(['anchors', 'until'], { code: 'before_from' });
  const moments = (anchors.until - anchors.from) / microsecondsPerDay / (anchors.everyDays ?? 30);
  if (moments > anchorMomentsMax)
    reading.problem(['anchors', 'every'], { code: 'many_moments', count: Math.floor(moments), most: anchorMomentsMax });
  return anchors;
}
