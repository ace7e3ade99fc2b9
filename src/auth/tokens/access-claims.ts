import type { ClaimsOfCaller } from '../access/caller-of-claims.js';
import { isUserType, type UserType } from '../../kernel/domain/author.js';
import { parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { readRegisteredClaims, type RegisteredClaims } from './registered-claims.js';

interface SignedClaims extends RegisteredClaims {
  /** `jti` in lower case, for revocation; undefined if no UUID. */
  readonly tokenId: Uuid | undefined;
  /** Session id, in lower case. */
  readonly sid: Uuid | undefined;
}

interface SignedClaimsOfCaller extends SignedClaims, ClaimsOfCaller {
  readonly sub: string;
  readonly office: Uuid | undefined;
}

interface ClientClaims extends SignedClaimsOfCaller {
  readonly kind: 'client';
  readonly userType: 'system';
}

/** `sub` of the service's own tokens. */
export const SERVICE = 'matricula';

/** The service's own token, which reads places and its event, if any (E-15). */
interface ServiceClaims extends SignedClaimsOfCaller {
  readonly kind: 'service';
  readonly userType: 'system';
}

/** A session token, recognized by its role; the user's current state decides its permissions (U-7). */
interface SessionClaims extends SignedClaimsOfCaller {
  readonly kind: 'session';
  readonly userType: 'user';
  /** `sub` in lower case. */
  readonly userId: string;
}

/** A token with its own permissions, as `matricula token` makes. */
interface UserClaims extends SignedClaimsOfCaller {
  readonly kind: 'user';
  readonly userType: 'user';
}

/** A token without a caller, which can only be revoked. */
interface NobodysClaims extends SignedClaims {
  readonly kind: 'nobody';
  readonly userType: UserType | undefined;
}

export type CallerClaims = ClientClaims | ServiceClaims | SessionClaims | UserClaims;

/** Claims of A-5. */
export type AccessClaims = CallerClaims | NobodysClaims;

/** Claims of a verified token; undefined if its times are invalid. */
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

/** The token has no scope, so that it is useless elsewhere. */
function ofService(named: unknown): Pick<ClaimsOfCaller, 'scope' | 'onlyEvent'> {
  const onlyEvent = parseUuid(named);
  return onlyEvent === undefined ? { scope: [] } : { scope: ['record.read'], onlyEvent };
}

const isListOfStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
