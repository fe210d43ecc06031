/** Signs and encrypts XML as identity providers do, and as they should not; test support. */
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { type SignatureAlgorithm, SignedXml } from 'xml-crypto';
import type { KeyPair } from './key-pair.ts';

export const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const more = 'http://www.w3.org/2001/04/xmldsig-more#';

const signatureHashes: Readonly<Record<string, string>> = {
  'http://www.w3.org/2000/09/xmldsig#rsa-sha1': 'sha1',
  [`${more}rsa-sha256`]: 'sha256',
  [`${more}rsa-sha384`]: 'sha384',
  [`${more}rsa-sha512`]: 'sha512',
  [`${more}ecdsa-sha256`]: 'sha256',
  [`${more}ecdsa-sha384`]: 'sha384',
  [`${more}ecdsa-sha512`]: 'sha512',
};
const digestHashes: Readonly<Record<string, string>> = {
  'http://www.w3.org/2000/09/xmldsig#sha1': 'sha1',
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  [`${more}sha384`]: 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
};

export type Signing = {
  readonly signature?: string;
  readonly digest?: string;
  readonly canonicalization?: string;
  readonly transforms?: readonly string[];
  /** Instead of the element's own ID. */
  readonly references?: readonly string[];
  readonly hasKeyInfo?: boolean;
};

/** Puts a signature behind the Issuer of the element with this ID. */
export function signXml(
  xml: string,
  id: string,
  { key, certificate }: KeyPair,
  {
    signature = `${more}rsa-sha256`,
    digest = 'http://www.w3.org/2001/04/xmlenc#sha256',
    canonicalization = exclusive,
    transforms = [enveloped, exclusive],
    references = [id],
    hasKeyInfo = true,
  }: Signing = {},
): string {
  const signer = new SignedXml({
    privateKey: key,
    signatureAlgorithm: signature,
    canonicalizationAlgorithm: canonicalization,
    ...(hasKeyInfo ? { publicCert: certificate } : {}),
  });
  signer.SignatureAlgorithms = { [signature]: makeSigner(signature) };
  for (const [name, hash] of Object.entries(digestHashes))
    signer.HashAlgorithms[name] = class {
      getAlgorithmName = () => name;
      getHash = (text: string) => createHash(hash).update(text, 'utf8').digest('base64');
    };
  for (const reference of references)
    signer.addReference({ xpath: `//*[@ID='${reference}']`, digestAlgorithm: digest, transforms: [...transforms] });
  signer.computeSignature(xml, {
    location: { reference: `//*[@ID='${id}']/*[local-name(.)='Issuer']`, action: 'after' },
  });
  return signer.getSignedXml();
}

function makeSigner(name: string): new () => SignatureAlgorithm {
  return class {
    getAlgorithmName = () => name;
    verifySignature = () => false;
    getSignature(material: unknown, key: unknown): string {
      const privateKey = createPrivateKey(key as string);
      const options = { key: privateKey, dsaEncoding: 'ieee-p1363' as const };
      return sign(signatureHashes[name], Buffer.from(material as string), options).toString('base64');
    }
  };
}
