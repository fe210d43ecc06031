import { createHash, createPublicKey, verify } from 'node:crypto';
import { type HashAlgorithm, type SignatureAlgorithm, SignedXml } from 'xml-crypto';
import type { Failure } from '../failure.ts';
import { signatureNamespace } from './parties.ts';
import { attributeOf, childrenNamed, childrenOf, isNamed, textOf, type XmlElement } from './xml.ts';

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const canonicalizations = [exclusive, `${exclusive}WithComments`];
/** Characters of prefixes that are named for canonicalization. */
const prefixesLengthMax = 200;
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';

const more = 'http://www.w3.org/2001/04/xmldsig-more#';
const signatureMethods: Readonly<Record<string, { readonly hash: string; readonly keyType: 'rsa' | 'ec' }>> = {
  [`${more}rsa-sha256`]: { hash: 'sha256', keyType: 'rsa' },
  [`${more}rsa-sha384`]: { hash: 'sha384', keyType: 'rsa' },
  [`${more}rsa-sha512`]: { hash: 'sha512', keyType: 'rsa' },
  [`${more}ecdsa-sha256`]: { hash: 'sha256', keyType: 'ec' },
  [`${more}ecdsa-sha384`]: { hash: 'sha384', keyType: 'ec' },
  [`${more}ecdsa-sha512`]: { hash: 'sha512', keyType: 'ec' },
};
const digestMethods: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  [`${more}sha384`]: 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
};

/**
 * What of an element was signed by one of the certificates, as the very bytes that were digested: whoever reads these
 * reads nothing that was not signed. `text` is the document that the element is of. Throws what `refuse` makes of the
 * reason, when the element has not exactly one signature of the shape that SAML prescribes (Core 5.4), of this element
 * and by sound algorithms.
 */
export function signedBytes(
  text: string,
  element: XmlElement,
  certificates: readonly string[],
  refuse: (reason: string) => Failure,
): string {
  const [signature, ...others] = childrenNamed(element, signatureNamespace, 'Signature');
  if (signature === undefined || others.length > 0) throw refuse('it has not exactly one signature');
  const fault = faultOf(signature, attributeOf(element, 'ID'));
  if (fault !== undefined) throw refuse(fault);
  const bytes = check(text, signature, certificates);
  if (bytes === undefined) throw refuse('its signature does not hold with any of the certificates');
  return bytes;
}

/** What is wrong with a signature before any key is asked: it must look in every part as SAML says. */
function faultOf(signature: XmlElement, id: string | undefined): string | undefined {
  const [signedInfo, value, keyInfo, ...rest] = childrenOf(signature);
  if (!isOf(signedInfo, 'SignedInfo') || !isOf(value, 'SignatureValue') || rest.length > 0)
    return 'its signature has other parts than it should';
  if (keyInfo !== undefined && !isOf(keyInfo, 'KeyInfo')) return 'its signature has other parts than it should';
  const [canonicalization, method, reference, ...references] = childrenOf(signedInfo);
  if (!isOf(canonicalization, 'CanonicalizationMethod') || !isOf(method, 'SignatureMethod'))
    return 'its signature has other parts than it should';
  if (!isOf(reference, 'Reference') || references.length > 0) return 'its signature has not exactly one reference';
  const [transforms, digest, digestValue, ...others] = childrenOf(reference);
  if (!isOf(transforms, 'Transforms') || !isOf(digest, 'DigestMethod') || !isOf(digestValue, 'DigestValue'))
    return 'its signature has other parts than it should';
  if (others.length > 0 || !isBase64(textOf(value)) || !isBase64(textOf(digestValue)))
    return 'its signature has other parts than it should';
  if (!isCanonicalization(canonicalization)) return 'its signature is canonicalized in a way that is not taken';
  if (!Object.hasOwn(signatureMethods, algorithmOf(method)))
    return 'its signature is by an algorithm that is not taken: RSA or ECDSA with SHA-256 or longer';
  if (!Object.hasOwn(digestMethods, algorithmOf(digest)))
    return 'its digest is by an algorithm that is not taken: SHA-256 or longer';
  const [first, second, ...transformsLeft] = childrenOf(transforms);
  if (!isOf(first, 'Transform') || !isOf(second, 'Transform') || transformsLeft.length > 0)
    return 'its signature has other transforms than it should';
  if (algorithmOf(first) !== enveloped || childrenOf(first).length > 0 || !isCanonicalization(second))
    return 'its signature has other transforms than it should';
  if (!id || attributeOf(reference, 'URI') !== `#${id}`) return 'its signature is of something else';
  return undefined;
}

function isOf(element: XmlElement | undefined, name: string): element is XmlElement {
  return element !== undefined && isNamed(element, signatureNamespace, name);
}

/** Exclusive, with the few prefixes that a provider may name; many take long. */
function isCanonicalization(element: XmlElement): boolean {
  const [named, ...others] = childrenOf(element);
  if (!canonicalizations.includes(algorithmOf(element)) || others.length > 0) return false;
  if (named === undefined) return true;
  const prefixes = attributeOf(named, 'PrefixList') ?? '';
  return isNamed(named, exclusive, 'InclusiveNamespaces') && prefixes.length <= prefixesLengthMax;
}

function isBase64(text: string | undefined): boolean {
  return text !== undefined && /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(text);
}

function algorithmOf(element: XmlElement): string {
  return attributeOf(element, 'Algorithm') ?? '';
}

/** The signed bytes, if it is by the key of one of the certificates; keys that the signature names are not asked. */
function check(text: string, signature: XmlElement, certificates: readonly string[]): string | undefined {
  // It wants a key, and hands it to those who check: they know all of them.
  const signed = new SignedXml({ publicCert: 'one of the certificates', getCertFromKeyInfo: () => null });
  signed.SignatureAlgorithms = Object.fromEntries(
    Object.keys(signatureMethods).map((name) => [name, makeSignatureAlgorithm(name, certificates)]),
  );
  signed.HashAlgorithms = Object.fromEntries(Object.keys(digestMethods).map((name) => [name, makeHash(name)]));
  try {
    // The type of nodes is that of browsers, which the program does not have.
    signed.loadSignature(signature as never);
    if (!signed.checkSignature(text)) return undefined;
  } catch {
    // Thrown for a wrong key as for much else: whatever is not verified is refused.
    return undefined;
  }
  const [bytes, ...others] = signed.getSignedReferences();
  return others.length === 0 ? bytes : undefined;
}

function makeHash(name: string): new () => HashAlgorithm {
  return class {
    getAlgorithmName(): string {
      return name;
    }
    getHash(xml: string): string {
      return createHash(digestMethods[name]).update(xml, 'utf8').digest('base64');
    }
  };
}

function makeSignatureAlgorithm(name: string, certificates: readonly string[]): new () => SignatureAlgorithm {
  return class {
    getAlgorithmName(): string {
      return name;
    }
    getSignature(): string {
      throw new Error('only checks signatures');
    }
    verifySignature(material: string, _: unknown, value: string): boolean {
      return certificates.some((certificate) => holds(name, certificate, material, value));
    }
  };
}

/** Whether a signature holds with a key, which must be of the kind that the algorithm names. */
function holds(name: string, certificate: string, material: string, value: string): boolean {
  const { hash, keyType } = signatureMethods[name];
  const key = createPublicKey(certificate);
  if (key.asymmetricKeyType !== keyType) return false;
  return verify(hash, Buffer.from(material), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(value, 'base64'));
}
