import {
  assertionNamespace,
  nameIdFormats,
  refuseResponse,
  type SamlIdentityProvider,
  type SamlServiceProvider,
} from './parties.ts';
import { allOf, attributeOf, childrenNamed, childrenOf, isNamed, textOf, type XmlElement } from './xml.ts';

export type SamlIdentity = {
  /**
   * Who it is at this provider, for good: name, format and qualifiers of the NameID in one text, so that no two of
   * them can be mistaken for each other.
   */
  readonly subject: string;
  readonly nameIdFormat: string;
  /** Texts of each attribute by its name; those of other values than texts are left out. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
  readonly email: string | undefined;
  readonly name: string | undefined;
  readonly assertionId: string;
  /** From then on the assertion is refused for its age, so that its ID need not be kept any longer. */
  readonly goodUntil: Date;
  readonly authenticatedAt: Date;
};

/** How far the provider's clock may be off. */
const skewMs = 30_000;
/** Characters of a NameID; the standard has 256 for persistent ones (Core 8.3.7). */
const nameIdLengthMax = 1_024;
/** Of a subject, and of the ID of an assertion: both are keys of what is kept. */
const keyBytesMax = 2_000;
/** Characters of what a person is called. */
const nameLengthMax = 500;

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** Names that providers use for the same thing, the surest first. */
const emailAttributes = [
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'mail',
  'email',
  'emailAddress',
  'Email',
];
const nameAttributes = [
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'displayName',
  'displayname',
];
const givenNameAttributes = [
  'urn:oid:2.5.4.42',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname',
  'givenName',
  'firstName',
  'FirstName',
];
const surnameAttributes = [
  'urn:oid:2.5.4.4',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname',
  'sn',
  'surname',
  'lastName',
  'LastName',
];
/** Often a name, sometimes that of an account. */
const commonNameAttributes = [
  'urn:oid:2.5.4.3',
  'cn',
  'name',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name',
];

/**
 * Who an assertion is about, read from what was signed. Throws Failure `sso_refused` when the assertion is not for us,
 * not in answer to this request, or not of now.
 */
export function readAssertion(
  assertion: XmlElement,
  sp: SamlServiceProvider,
  idp: SamlIdentityProvider,
  requestId: string,
  now: Date,
): SamlIdentity {
  const all = allOf(assertion);
  if (!isNamed(assertion, assertionNamespace, 'Assertion') || attributeOf(assertion, 'Version') !== '2.0')
    throw refuseResponse('what is signed is no assertion of SAML 2.0');
  if (all.filter(({ localName }) => /^((encrypted)?assertion|signature|response)$/i.test(localName)).length > 1)
    throw refuseResponse('its assertion holds another');
  const assertionId = attributeOf(assertion, 'ID');
  if (!assertionId || isTooLong(assertionId)) throw refuseResponse('its assertion has no ID, or a very long one');
  if (textOf(only(assertion, 'Issuer')) !== idp.entityId) throw refuseResponse('its issuer is another provider');
  if (instantOf(assertion, 'IssueInstant').getTime() > now.getTime() + skewMs)
    throw refuseResponse('its assertion was issued in the future: check the clocks');
  const subject = only(assertion, 'Subject');
  const confirmed = checkConfirmation(only(subject, 'SubjectConfirmation'), sp, requestId, now);
  const good = checkConditions(only(assertion, 'Conditions'), sp, now);
  const authenticatedAt = checkAuthentication(only(assertion, 'AuthnStatement'), now);
  const { value, format, folded } = readNameId(subject, sp, idp);
  const attributes = readAttributes(assertion);
  return {
    subject: folded,
    nameIdFormat: format,
    attributes,
    email: format === nameIdFormats.email && isAddress(value) ? value : firstOf(attributes, emailAttributes, isAddress),
    name: nameOf(attributes),
    assertionId,
    goodUntil: new Date(Math.min(confirmed.getTime(), good.getTime()) + skewMs),
    authenticatedAt,
  };
}

function only(parent: XmlElement, name: string): XmlElement {
  const [first, ...others] = childrenNamed(parent, assertionNamespace, name);
  if (first === undefined || others.length > 0) throw refuseResponse(`its assertion has not exactly one ${name}`);
  return first;
}

/** A moment, which SAML writes in UTC (Core 1.3.3). */
function instantOf(element: XmlElement, name: string): Date {
  const text = attributeOf(element, name) ?? '';
  const [, seconds, fraction = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,12})?Z$/.exec(text) ?? [];
  const instant = new Date(seconds === undefined ? Number.NaN : `${seconds}${fraction.slice(0, 4)}Z`);
  if (Number.isNaN(instant.getTime())) throw refuseResponse(`its ${name} is missing, or is no moment in UTC`);
  return instant;
}

/** The provider vouches for whoever brings the assertion (Profiles 4.1.4.2); until when is returned. */
function checkConfirmation(confirmation: XmlElement, sp: SamlServiceProvider, requestId: string, now: Date): Date {
  if (attributeOf(confirmation, 'Method') !== bearer) throw refuseResponse('its subject is not confirmed as a bearer');
  const data = only(confirmation, 'SubjectConfirmationData');
  if (attributeOf(data, 'Recipient') !== sp.acsUrl) throw refuseResponse('its recipient is another address');
  if (attributeOf(data, 'InResponseTo') !== requestId)
    throw refuseResponse('its assertion does not answer this request');
  return checkSpan(data, now);
}

function checkConditions(conditions: XmlElement, sp: SamlServiceProvider, now: Date): Date {
  const known = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction'];
  if (!childrenOf(conditions).every((child) => known.some((name) => isNamed(child, assertionNamespace, name))))
    throw refuseResponse('its assertion has a condition that is not known here');
  const restrictions = childrenNamed(conditions, assertionNamespace, 'AudienceRestriction');
  const isForUs = (restriction: XmlElement) =>
    childrenNamed(restriction, assertionNamespace, 'Audience').some((audience) => textOf(audience) === sp.entityId);
  if (restrictions.length === 0 || !restrictions.every(isForUs))
    throw refuseResponse('its audience is another service');
  if (attributeOf(conditions, 'NotBefore') === undefined) throw refuseResponse('its assertion has no NotBefore');
  return checkSpan(conditions, now);
}

/** Holds a moment against NotBefore, where there is one, and NotOnOrAfter, which is returned. */
function checkSpan(element: XmlElement, now: Date): Date {
  const hasStart = attributeOf(element, 'NotBefore') !== undefined;
  if (hasStart && instantOf(element, 'NotBefore').getTime() > now.getTime() + skewMs)
    throw refuseResponse('its assertion is not valid yet: check the clocks');
  const end = instantOf(element, 'NotOnOrAfter');
  if (end.getTime() + skewMs <= now.getTime()) throw refuseResponse('its assertion has expired: check the clocks');
  return end;
}

function checkAuthentication(statement: XmlElement, now: Date): Date {
  const authenticatedAt = instantOf(statement, 'AuthnInstant');
  if (authenticatedAt.getTime() > now.getTime() + skewMs)
    throw refuseResponse('its person signs in in the future: check the clocks');
  const hasEnd = attributeOf(statement, 'SessionNotOnOrAfter') !== undefined;
  if (hasEnd && instantOf(statement, 'SessionNotOnOrAfter').getTime() + skewMs <= now.getTime())
    throw refuseResponse("its person's session at the provider has ended");
  return authenticatedAt;
}

function readNameId(
  subject: XmlElement,
  sp: SamlServiceProvider,
  idp: SamlIdentityProvider,
): { value: string; format: string; folded: string } {
  const nameId = only(subject, 'NameID');
  const value = textOf(nameId);
  if (!value || value.length > nameIdLengthMax || value.trim() !== value || /\p{Cc}/u.test(value))
    throw refuseResponse('its NameID is not one line of text');
  const format = attributeOf(nameId, 'Format') || nameIdFormats.unspecified;
  if (format === nameIdFormats.transient)
    throw refuseResponse('its NameID is transient: have the provider send one that stays, such as a persistent one');
  // A qualifier that is not there means the party itself (Core 8.3.7), so that adding it later makes nobody new.
  const qualifier = (name: string, party: string) => {
    const told = attributeOf(nameId, name) ?? '';
    return told === party ? '' : told;
  };
  const qualifiers = [qualifier('NameQualifier', idp.entityId), qualifier('SPNameQualifier', sp.entityId)];
  const folded = JSON.stringify([format, ...qualifiers, value]);
  if (isTooLong(folded)) throw refuseResponse('its NameID, with format and qualifiers, is very long');
  return { value, format, folded };
}

function isTooLong(key: string): boolean {
  return Buffer.byteLength(key) > keyBytesMax;
}

function readAttributes(assertion: XmlElement): Map<string, readonly string[]> {
  const attributes = new Map<string, readonly string[]>();
  const statements = childrenNamed(assertion, assertionNamespace, 'AttributeStatement');
  for (const attribute of statements.flatMap((each) => childrenNamed(each, assertionNamespace, 'Attribute'))) {
    const name = attributeOf(attribute, 'Name');
    if (!name) throw refuseResponse('an attribute in it has no name');
    const values = childrenNamed(attribute, assertionNamespace, 'AttributeValue').map(textOf);
    const texts = values.filter((value) => value !== undefined);
    attributes.set(name, [...(attributes.get(name) ?? []), ...texts]);
  }
  return attributes;
}

function nameOf(attributes: ReadonlyMap<string, readonly string[]>): string | undefined {
  const parts = [firstOf(attributes, givenNameAttributes), firstOf(attributes, surnameAttributes)];
  const whole = parts.every((part) => part !== undefined) ? parts.join(' ') : undefined;
  const name = firstOf(attributes, nameAttributes) ?? whole ?? firstOf(attributes, commonNameAttributes);
  return name !== undefined && name.length <= nameLengthMax ? name : undefined;
}

function firstOf(
  attributes: ReadonlyMap<string, readonly string[]>,
  names: readonly string[],
  isGood: (text: string) => boolean = () => true,
): string | undefined {
  const texts = names.flatMap((name) => attributes.get(name) ?? []).map((text) => text.trim());
  return texts.find((text) => text !== '' && isGood(text));
}

function isAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text);
}
