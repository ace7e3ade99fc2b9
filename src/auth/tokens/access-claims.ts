import type { ClaimsOfCaller } from '../access/caller-of-claims.js';
import { isUserType, type UserType } from '../../kernel/domain/user-type.js';
import { parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { readRegisteredClaims, type RegisteredClaims } from './registered-claims.js';

/** What every access token may say. */
interface SignedClaims extends RegisteredClaims {
  /** `jti` in lower case, by which it can be revoked; undefined where that is no UUID. */
  readonly tokenId: Uuid | undefined;
  /** The session to which it belongs, in lower case. */
  readonly sid: Uuid | undefined;
}

interface SignedClaimsOfCaller extends SignedClaims, ClaimsOfCaller {
  readonly sub: string;
  readonly office: Uuid | undefined;
}

/** Of a system client's token. */
interface ClientClaims extends SignedClaimsOfCaller {
  readonly kind: 'client';
  readonly userType: 'system';
}

/** `sub` of the tokens with which the service calls the country configuration. */
export const SERVICE = 'matricula';

/** Of the service's own token, good for reading places and, where it has one, its event (E-15). */
interface ServiceClaims extends SignedClaimsOfCaller {
  readonly kind: 'service';
  readonly userType: 'system';
}

/** Of the token of a user's session, which has a role: what he may do follows the user as he is now (U-7). */
interface SessionClaims extends SignedClaimsOfCaller {
  readonly kind: 'session';
  readonly userType: 'user';
  /** `sub` in lower case. */
  readonly userId: string;
}

/** Of a token of a user or an administrator that says itself what it may do, as `matricula token` makes them. */
interface UserClaims extends SignedClaimsOfCaller {
  readonly kind: 'user';
  readonly userType: 'user';
}

/** Of a token that describes no caller: it can be revoked, and is good for nothing else. */
interface NobodysClaims extends SignedClaims {
  readonly kind: 'nobody';
  readonly userType: UserType | undefined;
}

/** The claims of an access token that describes a caller. */
export type CallerClaims = ClientClaims | ServiceClaims | SessionClaims | UserClaims;

/** The claims of an access token. */
export type AccessClaims = CallerClaims | NobodysClaims;

/** Reads the claims of an access token whose signature was verified; undefined if its times are none. */
export function readAccessClaims(claims: unknown): AccessClaims | undefined {
  const registered = readRegisteredClaims(claims);
  if (registered === undefined) return undefined;
  const { sub, jti } = registered;
  const { userType, scope, office: officeId, role, sid, eventId } = claims as Readonly<Record<string, unknown>>;
  const signed = { ...registered, tokenId: parseUuid(jti), sid: parseUuid(sid) };
  const office = parseUuid(officeId);
  const isOfOffice = officeId === undefined || office !== undefined;
  const hasRole = role !== undefined;
  if (!isUserType(userType)) return { ...signed, kind: 'nobody', userType: undefined };
  if (sub === undefined || sub === '' || !isListOfStrings(scope) || !isOfOffice || (hasRole && userType === 'system')) {
    return { ...signed, kind: 'nobody', userType };
  }
  const said = { ...signed, sub, scope, office };
  if (userType === 'system' && sub === SERVICE) return { ...said, ...ofService(eventId), kind: 'service', userType };
  if (userType === 'system') return { ...said, kind: 'client', userType };
  return hasRole
    ? { ...said, kind: 'session', userType, userId: sub.toLowerCase() }
    : { ...said, kind: 'user', userType };
}

/** The token itself has no scope: elsewhere it is good for nothing. */
function ofService(named: unknown): Pick<ClaimsOfCaller, 'scope' | 'onlyEvent'> {
  const onlyEvent = parseUuid(named);
  return onlyEvent === undefined ? { scope: [] } : { scope: ['record.read'], onlyEvent };
}

const isListOfStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
