import { createPublicKey, verify } from 'node:crypto';

const AUDIENCE = 'opencrvs:countryconfig-user';

/**
 * Whether a bearer token is one that Matricula has signed for country configurations. Keys are read again when a token
 * names one that is not known: they are rotated.
 */
export function tokenVerifier(matriculaUrl) {
  let keys = new Map();
  const readKeys = async () => {
    const answer = await fetch(new URL('/.well-known/jwks.json', matriculaUrl), { signal: AbortSignal.timeout(5_000) });
    const { keys: found } = await answer.json();
    keys = new Map(found.map((key) => [key.kid, createPublicKey({ key, format: 'jwk' })]));
  };
  return async (authorization = '') => {
    const [header, claims, signature] = authorization.replace(/^Bearer /i, '').split('.');
    const { alg, kid } = parsed(header);
    if (alg !== 'RS256') return false;
    if (!keys.has(kid)) await readKeys();
    const key = keys.get(kid);
    const isSigned =
      key !== undefined &&
      verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature ?? '', 'base64url'));
    const { aud, exp } = isSigned ? parsed(claims) : {};
    return isSigned && [aud].flat().includes(AUDIENCE) && exp > Date.now() / 1_000;
  };
}

function parsed(part = '') {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return {};
  }
}
