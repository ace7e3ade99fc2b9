/** RFC 6749 2.3.1, RFC 7617. */
export type BasicCredentials =
  | { readonly kind: 'absent' }
  | { readonly kind: 'malformed' }
  | {
      readonly kind: 'given';
      readonly clientId: string;
      readonly clientSecret: string;
      /** The undecoded secret, if different. */
      readonly writtenSecret: string | undefined;
    };

const BASIC = /^basic(?: +|$)/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Ignores other schemes. */
export function readBasicCredentials(authorization: string): BasicCredentials {
  if (!BASIC.test(authorization)) return { kind: 'absent' };
  const encoded = authorization.replace(BASIC, '').trimEnd();
  if (!BASE64.test(encoded)) return { kind: 'malformed' };
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return { kind: 'malformed' };
  const [id, secret] = [text.slice(0, colon), text.slice(colon + 1)];
  const clientSecret = formDecoded(secret) ?? secret;
  return {
    kind: 'given',
    // Client ids need no encoding, so that there is no second reading.
    clientId: formDecoded(id) ?? id,
    clientSecret,
    writtenSecret: clientSecret === secret ? undefined : secret,
  };
}

/** RFC 6749 appendix B: parts are form-encoded, but many clients do not encode them. Undefined if undecodable. */
function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
