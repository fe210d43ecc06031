import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { Failure } from '../failure.ts';
import { allOf, attributeOf, childrenOf, escapeXml, readXml, textOf } from './xml.ts';

const refuse = (reason: string) => new Failure('invalid', reason);
const limits = { elementsMax: 10, depthMax: 3, allowsComments: false };

test('signatures are checked by the very parser that responses are read by', () => {
  const here = createRequire(import.meta.url);
  const there = createRequire(here.resolve('xml-crypto'));
  expect(there.resolve('@xmldom/xmldom')).toBe(here.resolve('@xmldom/xmldom'));
});

test('a document is elements, attributes and text', () => {
  const root = readXml('<a b="&lt;&#228;"> <c>d&amp;e</c><f>g<h/></f> </a>', limits, refuse);
  expect(attributeOf(root, 'b')).toBe('<ä');
  expect(childrenOf(root).map(textOf)).toEqual(['d&e', undefined]);
  expect(allOf(root).map(({ localName }) => localName)).toEqual(['a', 'c', 'f', 'h']);
});

test('what is escaped is read as it was', () => {
  const text = `<a b='c' d="e">&amp;</a>`;
  const root = readXml(`<a b="${escapeXml(text)}">${escapeXml(text)}</a>`, limits, refuse);
  expect([attributeOf(root, 'b'), textOf(root)]).toEqual([text, text]);
});

test('comments stand where they may, and never within a text that is read', () => {
  const commented = '<!-- a --><a><!-- b --><b>c<!-- d -->e</b></a>';
  const root = readXml(commented, { ...limits, allowsComments: true }, refuse);
  expect(childrenOf(root).map(textOf)).toEqual([undefined]);
  expect(() => readXml(commented, limits, refuse)).toThrow(/comment/);
});

test.each([
  ['<a><b></a></b>', /well-formed/],
  ['<a b=c/>', /well-formed/],
  ['<a b="c" b="d"/>', /well-formed/],
  ['<a', /well-formed/],
  ['a', /well-formed/],
  ['a<b/>', /text around/],
  ['<a/>b', /text around/],
  ['<a></b>', /well-formed/],
  ['<a></a b="c">', /well-formed/],
  ['<a/ >', /well-formed/],
  ['<a b="<"/>', /well-formed/],
  ['<a>', /well-formed/],
  ['</a>', /well-formed/],
  ['<a/><b/>', /more than one root/],
  ['<a>&b;</a>', /entity/],
  ['<a>b & c</a>', /ampersand/],
  ['<a b="&#1;"/>', /characters/],
  ['<a b="&#xd800;"/>', /characters/],
  ['<a b="&#x110000;"/>', /characters/],
  ['<a>\u0001</a>', /characters/],
  ['<a>\ud800</a>', /characters/],
  ['<a><b><c><d/></c></b></a>', /deeper than 3/],
  [`<a>${'<b/>'.repeat(10)}</a>`, /more than 10 elements/],
  [`<a ${Array.from({ length: 51 }, (_, at) => `b${at}=""`).join(' ')}/>`, /attributes/],
])('%.40s is refused', (text, reason) => {
  expect(() => readXml(text, limits, refuse)).toThrow(reason);
});
