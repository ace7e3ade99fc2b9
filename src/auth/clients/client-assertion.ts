import { decodeJwt, decodeProtectedHeader } from 'jose';
import { parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { isTextWithin } from '../../kernel/input/is-text-within.js';
import { type AssertionAlgorithm, isAssertionAlgorithm } from './assertion-algorithms.js';
import { LONGEST_KID } from './client-keys.js';

/** RFC 7523 2.2: the `client_assertion_type` of a JWT. */
export const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** In characters: a signature by the longest key, and claims that nobody needs more of. */
const LONGEST = 8_192;
const LONGEST_JTI = 256;
/** How long an assertion lives at most (U-10). */
const LONGEST_LIFE_SECONDS = 300;
/** How far the clock of a client may be ahead of ours. */
const AHEAD_SECONDS = 30;
/** RFC 7523, and the type that its revision gives to these JWTs; no other JWT of a client is an assertion. */
const TYPES: readonly unknown[] = [undefined, 'jwt', 'client-authentication+jwt'];

/** An assertion as it was received: nothing of it has been proved. */
export interface ReceivedAssertion {
  readonly jws: string;
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** An assertion that says what it must. Whether its client has signed it is still to be shown. */
export interface ClientAssertion {
  readonly jws: string;
  readonly clientId: Uuid;
  readonly algorithm: AssertionAlgorithm;
  readonly kid: string | undefined;
  readonly jti: string;
  /** `exp`: seconds since 1970. */
  readonly expiresAt: number;
}

/** What is wrong with an assertion: for the log, never for the client. */
export class AssertionFault {
  constructor(readonly reason: string) {}
}

/** What it must say. */
interface Expected {
  /** The addresses that we go by. */
  readonly audiences: readonly string[];
  /** `client_id` of the request, which is not needed. */
  readonly clientId: string | undefined;
  readonly now: Date;
}

/** The header and the claims; undefined for what is no JWT, or is longer than one needs to be. */
export function receivedAssertion(jws: string): ReceivedAssertion | undefined {
  if (jws.length > LONGEST) return undefined;
  try {
    return { jws, header: { ...decodeProtectedHeader(jws) }, claims: decodeJwt(jws) };
  } catch {
    return undefined;
  }
}

/** Everything about an assertion that can be checked without a key (RFC 7523 3, U-10). */
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

/** Whether it is for us and for nobody else: who gets an assertion that is for several could use it at the others. */
function isFor(audiences: readonly string[], audience: unknown): boolean {
  const named: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
  return named.length > 0 && named.every((one) => audiences.some((ours) => ours === one));
}
