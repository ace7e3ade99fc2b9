import { decodeJwt, decodeProtectedHeader } from 'jose';
import { parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { isTextWithin } from '../../kernel/input/checks.js';
import { type AssertionAlgorithm, isAssertionAlgorithm } from './assertion-algorithms.js';
import { LONGEST_KID } from './client-keys.js';

/** RFC 7523 2.2. */
export const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Characters for the longest key's signature and all needed claims. */
const LONGEST = 8_192;
const LONGEST_JTI = 256;
/** Maximum lifetime (U-10). */
const LONGEST_LIFE_SECONDS = 300;
/** Tolerated clock lead of a client. */
const AHEAD_SECONDS = 30;
/** `typ` of RFC 7523 and its revision; other JWTs of a client are no assertions. */
const TYPES: readonly unknown[] = [undefined, 'jwt', 'client-authentication+jwt'];

/** Unverified. */
export interface ReceivedAssertion {
  readonly jws: string;
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Valid claims; the signature is still unverified. */
export interface ClientAssertion {
  readonly jws: string;
  readonly clientId: Uuid;
  readonly algorithm: AssertionAlgorithm;
  readonly kid: string | undefined;
  readonly jti: string;
  /** `exp`: seconds since 1970. */
  readonly expiresAt: number;
}

/** For the log, never for the client. */
export class AssertionFault {
  constructor(readonly reason: string) {}
}

interface Expected {
  readonly audiences: readonly string[];
  /** `client_id` of the request, optional. */
  readonly clientId: string | undefined;
  readonly now: Date;
}

/** Undefined if it is no JWT or too long. */
export function receivedAssertion(jws: string): ReceivedAssertion | undefined {
  if (jws.length > LONGEST) return undefined;
  try {
    return { jws, header: { ...decodeProtectedHeader(jws) }, claims: decodeJwt(jws) };
  } catch {
    return undefined;
  }
}

/** All checks without a key (RFC 7523 3, U-10). */
export function checkedAssertion(
  { jws, header, claims }: ReceivedAssertion,
  { audiences, clientId: given, now }: Expected,
): ClientAssertion | AssertionFault {
  const fault = (reason: string): AssertionFault => new AssertionFault(reason);
  const { alg, kid, typ } = header;
  if (!isAssertionAlgorithm(alg)) return fault('its alg is not one that is accepted');
  if (!TYPES.includes(typeof typ === 'string' ? typ.toLowerCase() : typ))
    return fault('its typ is that of another JWT');
  if (header['crit'] !== undefined) return fault('its header has crit');
  if (kid !== undefined && !isTextWithin(kid, LONGEST_KID)) return fault('its kid is no text of a sensible length');

  const clientId = parseUuid(claims['sub']);
  if (clientId === undefined) return fault('its sub is no client id');
  if (parseUuid(claims['iss']) !== clientId) return fault('its iss is not its sub');
  if (given !== undefined && parseUuid(given) !== clientId) return fault('client_id of the request is not its sub');
  if (!isFor(audiences, claims['aud'])) return fault('its aud is not this service');
  const { jti } = claims;
  if (!isTextWithin(jti, LONGEST_JTI)) return fault(`its jti is no text of 1 to ${LONGEST_JTI} characters`);

  const { exp: expiresAt, iat = expiresAt, nbf = 0 } = claims;
  const seconds = now.getTime() / 1_000;
  if (!isTime(expiresAt) || !isTime(iat) || !isTime(nbf)) return fault('its exp, iat or nbf is no time');
  if (expiresAt <= seconds) return fault('it has expired');
  if (expiresAt > seconds + LONGEST_LIFE_SECONDS + AHEAD_SECONDS || expiresAt - iat > LONGEST_LIFE_SECONDS) {
    return fault(`it lives longer than ${LONGEST_LIFE_SECONDS} s`);
  }
  if (nbf > seconds + AHEAD_SECONDS) return fault('its nbf is in the future');
  if (claims['iat'] !== undefined && iat > seconds + AHEAD_SECONDS) return fault('its iat is in the future');
  return { jws, clientId, algorithm: alg, kid, jti, expiresAt };
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** Requires a single audience: another recipient could otherwise reuse the assertion. */
function isFor(audiences: readonly string[], audience: unknown): boolean {
  const named: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
  return named.length > 0 && named.every((one) => audiences.some((ours) => ours === one));
}
