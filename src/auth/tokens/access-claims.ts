import { isUserType, type UserType } from '../../kernel/domain/event-record.js';
import { parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import type { Config } from '../../platform/config/config.js';
import type { ClaimsOfCaller } from '../access/scope-permissions.js';

const LONGEST_SECONDS = 600;
const LONGEST_WHEN_ALLOWED_SECONDS = 604_800;

/** */
export const longestTokenSeconds = (config: Pick<Config, 'ALLOW_LONG_TOKENS'>): number =>
  config.ALLOW_LONG_TOKENS ? LONGEST_WHEN_ALLOWED_SECONDS : LONGEST_SECONDS;

/** Tolerated clock lead of an issuer (G-3). */
const TOLERANCE_SECONDS = 5;

/** Seconds since 1970. */
export interface TokenTimes {
  readonly exp: number;
  readonly nbf?: number | undefined;
  readonly iat?: number | undefined;
}

/** G-3: `exp` is not past; `nbf` and `iat`, if present, are at most 5 seconds ahead. */
export function isInForce({ exp, nbf, iat }: TokenTimes, nowSeconds: number): boolean {
  return exp > nowSeconds && isReached(nbf, nowSeconds) && isReached(iat, nowSeconds);
}

const isReached = (instant: number | undefined, nowSeconds: number): boolean =>
  instant === undefined || instant <= nowSeconds + TOLERANCE_SECONDS;

/** RFC 7519 4.1. Tokens made elsewhere with the same key may lack some; wrongly typed claims count as lacking. */
export interface RegisteredClaims extends TokenTimes {
  readonly iss: string | undefined;
  readonly sub: string | undefined;
  readonly aud: string | readonly string[] | undefined;
  readonly jti: string | undefined;
}

/** Undefined if the claims are no object or have invalid times (G-3). */
export function readRegisteredClaims(claims: unknown): RegisteredClaims | undefined {
  if (typeof claims !== 'object' || claims === null) return undefined;
  const { iss, sub, aud, jti, exp, nbf, iat } = claims as Readonly<Record<string, unknown>>;
  if (typeof exp !== 'number' || !isInstantOrAbsent(nbf) || !isInstantOrAbsent(iat)) return undefined;
  return { iss: textIn(iss), sub: textIn(sub), aud: audienceIn(aud), jti: textIn(jti), exp, nbf, iat };
}

const isInstantOrAbsent = (value: unknown): value is number | undefined =>
  value === undefined || typeof value === 'number';

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const audienceIn = (value: unknown): string | readonly string[] | undefined =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : textIn(value);

interface SignedClaims extends RegisteredClaims {
  /** `jti` in lower case, for revocation; undefined if no UUID. */
  readonly tokenId: Uuid | undefined;
  /** Session id, in lower case. */
  readonly sid: Uuid | undefined;
}

/** `sub` of the service's own tokens. */
export const SERVICE = 'matricula';

/**
 * `client`: of a system client. `service`: the service's own, which reads places and its event, if any (E-15).
 * `session`: recognized by its role; the user's current state decides its permissions (U-7), and `userId` is `sub` in
 * lower case. `user`: with its own permissions, as `matricula token` makes.
 */
export type CallerClaims = SignedClaims &
  ClaimsOfCaller & { readonly office: Uuid | undefined } & (
    | { readonly kind: 'client' | 'service'; readonly userType: 'system' }
    | { readonly kind: 'session'; readonly userType: 'user'; readonly userId: string }
    | { readonly kind: 'user'; readonly userType: 'user' }
  );

/** A token without a caller, which can only be revoked. */
interface NobodysClaims extends SignedClaims {
  readonly kind: 'nobody';
  readonly userType: UserType | undefined;
}

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
