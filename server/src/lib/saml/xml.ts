// @ts-expect-error: has no types. The package's entry has, and they bring those of browsers into the whole program.
import { DOMParser } from '@xmldom/xmldom/lib/dom-parser.js';
import type { Failure } from '../failure.ts';

export type XmlElement = {
  readonly nodeType: number;
  readonly localName: string;
  readonly namespaceURI: string | null | undefined;
  readonly parentNode: XmlElement | null;
  readonly childNodes: ArrayLike<XmlElement | XmlText>;
  readonly attributes: ArrayLike<XmlAttribute>;
};
type XmlText = { readonly nodeType: number; readonly data: string };
type XmlAttribute = { readonly name: string; readonly localName: string; readonly value: string };

export type XmlLimits = {
  /** Twice as many attributes may there be. */
  readonly elementsMax: number;
  readonly depthMax: number;
  /** Whether comments may stand between elements; within texts that are read they may not (`textOf`). */
  readonly allowsComments: boolean;
};

/** Of one element: the parser takes time by their square. */
const attributesMax = 50;

const elementNode = 1;
const textNode = 3;

const xmlDeclaration =
  /^<\?xml version=(["'])1\.0\1(\s+encoding=(["'])utf-8\3)?(\s+standalone=(["'])(yes|no)\5)?\s*\?>/i;
const notOfXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
/** What begins a reference and is none to a character or to what every document knows. */
const looseAmpersand = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)/;
const characterReference = /&#(x?)([\da-fA-F]+);/g;
const attribute = /\s+[A-Za-z_][\w.:-]*\s*=\s*(?:"[^"<]*"|'[^'<]*')/g;
const tag = new RegExp(`<(/?)([A-Za-z_][\\w.:-]*)((?:${attribute.source})*)\\s*(/?)>`, 'y');

/**
 * The root element of a document of untrusted text that declares and instructs nothing: no document type and so no
 * entities, no CDATA, no processing instructions. What could take long is counted before it is parsed, and what the
 * parser would make the best of, such as tags that cross, is refused. Throws what `refuse` makes of the reason.
 */
export function readXml(text: string, limits: XmlLimits, refuse: (reason: string) => Failure): XmlElement {
  const body = text.replace(xmlDeclaration, '').trim();
  if (body.includes('<?')) throw refuse('it has a processing instruction, or is not in UTF-8');
  const declarations = limits.allowsComments ? /<!(?!--)/ : /<!/;
  if (declarations.test(body)) throw refuse('it has a document type, CDATA or a comment');
  if (looseAmpersand.test(body)) throw refuse('it has an entity, or an ampersand by itself');
  if (body.split('&').length > 2 * limits.elementsMax) throw refuse('it has too many references to characters');
  const isReferred = [...body.matchAll(characterReference)].some(
    ([, x, digits]) => !isOfXml(Number.parseInt(digits, x === '' ? 10 : 16)),
  );
  if (notOfXml.test(body) || isReferred) throw refuse('it has characters that XML does not have');
  checkTags(body, limits, refuse);
  try {
    const parser = new DOMParser({ errorHandler: { warning: stop, error: stop, fatalError: stop } });
    return parser.parseFromString(body, 'text/xml').documentElement;
  } catch {
    throw refuse('it is not well-formed');
  }
}

function isOfXml(codePoint: number): boolean {
  return codePoint <= 0x10ffff && !notOfXml.test(String.fromCodePoint(codePoint));
}

function stop(message: string): never {
  throw new Error(message);
}

/** Holds that one element is around everything, that each tag has its end, and that there are not too many. */
function checkTags(body: string, limits: XmlLimits, refuse: (reason: string) => Failure): void {
  const open: string[] = [];
  let [elements, attributes, end] = [0, 0, 0];
  for (let at = body.indexOf('<'); at >= 0; at = body.indexOf('<', end)) {
    if (open.length === 0 && /\S/.test(body.slice(end, at))) throw refuse('it has text around its root');
    if (body.startsWith('<!--', at)) {
      const closed = body.indexOf('-->', at + 4);
      if (closed < 0) throw refuse('it is not well-formed');
      end = closed + 3;
      continue;
    }
    tag.lastIndex = at;
    const [whole, isEnd, name, written, isEmpty] = tag.exec(body) ?? [];
    if (whole === undefined || (isEnd && (written || isEmpty))) throw refuse('it is not well-formed');
    end = at + whole.length;
    if (isEnd) {
      if (open.pop() !== name) throw refuse('it is not well-formed');
      continue;
    }
    if (open.length === 0 && elements > 0) throw refuse('it has more than one root');
    elements++;
    const ofElement = written.match(attribute)?.length ?? 0;
    attributes += ofElement;
    if (elements > limits.elementsMax || attributes > 2 * limits.elementsMax || ofElement > attributesMax)
      throw refuse(`it has more than ${limits.elementsMax} elements, or too many attributes`);
    if (open.length >= limits.depthMax) throw refuse(`it nests deeper than ${limits.depthMax}`);
    if (!isEmpty) open.push(name);
  }
  if (elements === 0 || open.length > 0) throw refuse('it is not well-formed');
  if (/\S/.test(body.slice(end))) throw refuse('it has text around its root');
}

function isElement(node: XmlElement | XmlText): node is XmlElement {
  return node.nodeType === elementNode;
}

/** Elements directly in another, in order. */
export function childrenOf(element: XmlElement): XmlElement[] {
  return Array.from(element.childNodes).filter(isElement);
}

/** Those of a name directly in an element. */
export function childrenNamed(element: XmlElement, namespace: string, name: string): XmlElement[] {
  return childrenOf(element).filter((child) => isNamed(child, namespace, name));
}

export function isNamed(element: XmlElement, namespace: string, name: string): boolean {
  return element.namespaceURI === namespace && element.localName === name;
}

/** An element and all within it, in the order of the document. */
export function allOf(element: XmlElement): XmlElement[] {
  const found: XmlElement[] = [];
  const waiting = [element];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next);
    waiting.push(...childrenOf(next).reverse());
  }
  return found;
}

/** An attribute of no namespace. */
export function attributeOf(element: XmlElement, name: string): string | undefined {
  return Array.from(element.attributes).find((attribute) => attribute.name === name)?.value;
}

/** The text of an element that holds nothing else; undefined of any other. */
export function textOf(element: XmlElement | undefined): string | undefined {
  const nodes = element === undefined ? undefined : Array.from(element.childNodes);
  if (nodes?.every((node): node is XmlText => node.nodeType === textNode))
    return nodes.map(({ data }) => data).join('');
  return undefined;
}

/** A text as it stands in XML, in an attribute too. */
export function escapeXml(text: string): string {
  const names: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };
  return text.replace(/[&<>"']/g, (character) => `&${names[character]};`);
}
