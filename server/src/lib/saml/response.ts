import { readAssertion, type SamlIdentity } from './assertion.ts';
import { decryptAssertion } from './decrypt.ts';
import {
  assertionNamespace,
  protocolNamespace,
  refuseResponse,
  type SamlIdentityProvider,
  type SamlServiceProvider,
} from './parties.ts';
import { signedBytes } from './signature.ts';
import { allOf, attributeOf, childrenNamed, isNamed, readXml, textOf, type XmlElement } from './xml.ts';

/** Of a response, decoded. */
const responseBytesMax = 256 * 1024;
/** Signatures of a thousand elements take 60 ms to check, nearly all of it for XPath. */
const limits = { elementsMax: 1_000, depthMax: 40, allowsComments: false };

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/**
 * Who signed in, by a response (HTTP-POST binding, base64) to the request with this ID. All that is returned was read
 * from the bytes that the provider has signed: the assertion must be, the response as a whole may be. That no response
 * is taken twice is for whoever keeps requests and assertions. Throws Failure `sso_refused`, whose message names the
 * check that failed.
 */
export function readSamlResponse(
  sp: SamlServiceProvider,
  idp: SamlIdentityProvider,
  { response, requestId, now = new Date() }: { response: string; requestId: string; now?: Date },
): SamlIdentity {
  const text = decode(response);
  const root = readXml(text, limits, (reason) => refuseResponse(`as XML, ${reason}`));
  const holder = checkResponse(root, sp, idp, requestId);
  if (allOf(root).some((element) => isSignature(element) && element.parentNode === root))
    signedBytes(text, root, idp.certificates, (reason) => refuseResponse(`of the response, ${reason}`));
  const bytes = isNamed(holder, assertionNamespace, 'Assertion')
    ? signedBytes(text, holder, idp.certificates, (reason) => refuseResponse(`of the assertion, ${reason}`))
    : signedBytesWithin(holder, sp, idp);
  return readAssertion(readXml(bytes, limits, refuseResponse), sp, idp, requestId, now);
}

function decode(response: string): string {
  if (response.length > 2 * responseBytesMax) throw refuseResponse(`it is longer than ${responseBytesMax} bytes`);
  // Forms break lines as mails do.
  const encoded = response.replace(/[\r\n]/g, '');
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length > responseBytesMax) throw refuseResponse(`it is longer than ${responseBytesMax} bytes`);
  if (encoded === '' || bytes.toString('base64') !== encoded) throw refuseResponse('it is not base64');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuseResponse('it is not in UTF-8');
  }
}

/**
 * Holds a response against what it must be. Little of this may be signed: it is not what anybody is let in by, but
 * what keeps a signed assertion in the one place where it is looked for. Returns the assertion, plain or encrypted.
 */
function checkResponse(
  root: XmlElement,
  sp: SamlServiceProvider,
  idp: SamlIdentityProvider,
  requestId: string,
): XmlElement {
  if (!isNamed(root, protocolNamespace, 'Response') || attributeOf(root, 'Version') !== '2.0')
    throw refuseResponse('it is no response of SAML 2.0');
  const holder = onlyAssertion(root);
  const statuses = childrenNamed(root, protocolNamespace, 'Status');
  const [code, ...codes] = statuses.flatMap((status) => childrenNamed(status, protocolNamespace, 'StatusCode'));
  const isSuccess = code !== undefined && attributeOf(code, 'Value') === success;
  if (statuses.length !== 1 || codes.length > 0 || !isSuccess)
    throw refuseResponse('its status is not success: the provider did not sign the person in');
  if (holder === undefined) throw refuseResponse('it has not exactly one assertion, in its place');
  if (attributeOf(root, 'Destination') !== sp.acsUrl) throw refuseResponse('its destination is another address');
  if (attributeOf(root, 'InResponseTo') !== requestId) throw refuseResponse('it does not answer this request');
  const issuers = childrenNamed(root, assertionNamespace, 'Issuer');
  if (issuers.length > 1 || issuers.some((issuer) => textOf(issuer) !== idp.entityId))
    throw refuseResponse('its issuer is another provider');
  return holder;
}

/**
 * The one assertion directly in a response, if there is no second one, response or signature anywhere, whatever their
 * namespaces, and nothing that two could be found by: how signed parts get wrapped in others (Somorovsky 2012).
 */
function onlyAssertion(root: XmlElement): XmlElement | undefined {
  const all = allOf(root);
  checkIds(all);
  const [holder, ...others] = all.filter(({ localName }) => /^(encrypted)?assertion$/i.test(localName));
  const responses = all.filter(({ localName }) => /^response$/i.test(localName));
  if (holder === undefined || others.length > 0 || holder.parentNode !== root || responses.length > 1) return undefined;
  const places = all.filter(isSignature).map(({ parentNode }) => parentNode);
  if (places.some((place) => place !== root && place !== holder) || new Set(places).size < places.length)
    throw refuseResponse('it has signatures where none belong');
  const isKnown = ['Assertion', 'EncryptedAssertion'].some((name) => isNamed(holder, assertionNamespace, name));
  return isKnown ? holder : undefined;
}

function checkIds(elements: readonly XmlElement[]): void {
  const ids = elements.flatMap(({ attributes }) =>
    Array.from(attributes)
      .filter(({ localName }) => /^id$/i.test(localName))
      .map(({ value }) => value),
  );
  if (new Set(ids).size < ids.length) throw refuseResponse('an ID stands in it twice');
}

function isSignature({ localName }: XmlElement): boolean {
  return /^signature$/i.test(localName);
}

/** What was signed within an encrypted assertion. All that can go wrong before that is told in the same words. */
function signedBytesWithin(holder: XmlElement, sp: SamlServiceProvider, idp: SamlIdentityProvider): string {
  const refuse = () => refuseResponse('its encrypted assertion cannot be read, or its signature does not hold');
  if (sp.decryption === undefined) throw refuseResponse('its assertion is encrypted, and nothing here can decrypt it');
  try {
    const text = decryptAssertion(holder, sp.decryption.key);
    const assertion = readXml(text, limits, refuse);
    checkIds(allOf(assertion));
    return signedBytes(text, assertion, idp.certificates, refuse);
  } catch {
    throw refuse();
  }
}
