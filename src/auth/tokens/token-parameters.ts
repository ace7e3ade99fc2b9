import type { FastifyRequest } from 'fastify';
import { decodeScope } from '../../kernel/domain/scopes/decode-scope.js';
import { LONGEST_SCOPES, MOST_SCOPES } from '../../kernel/domain/scopes/scope.js';

/** The grant that is served (RFC 6749 4.4). */
export const CLIENT_CREDENTIALS = 'client_credentials';

/** Registered error codes of RFC 6749 5.2 and RFC 7009 2.2.1. */
export type OAuthErrorCode =
  'invalid_request' | 'unsupported_grant_type' | 'invalid_client' | 'invalid_scope' | 'unsupported_token_type';

/** RFC 6749 5.2. */
export interface OAuthErrorBody {
  readonly error: OAuthErrorCode;
  readonly error_description: string;
  readonly error_uri: string;
}

/** An outcome, not an exception: the controller answers with it. */
export class OAuthError {
  constructor(
    readonly error: OAuthErrorCode,
    /** Without quotes, backslashes and non-ASCII characters (RFC 6749 5.2). */
    readonly description: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  get status(): 400 | 401 {
    return this.error === 'invalid_client' ? 401 : 400;
  }

  /** `documentation` is a URL. */
  body(documentation: string): OAuthErrorBody {
    return { error: this.error, error_description: this.description, error_uri: documentation };
  }
}

export const invalidRequest = (description: string): OAuthError => new OAuthError('invalid_request', description);

/** RFC 6749 2.3.1, RFC 7617. */
interface BasicCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The undecoded secret, if different. */
  readonly writtenSecret: string | undefined;
}

const BASIC = /^basic(?: +|$)/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Reads a header of the Basic scheme. */
function readBasicCredentials(authorization: string): BasicCredentials | 'malformed' {
  const encoded = authorization.replace(BASIC, '').trimEnd();
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (!BASE64.test(encoded) || colon < 0) return 'malformed';
  const [id, secret] = [text.slice(0, colon), text.slice(colon + 1)];
  const clientSecret = formDecoded(secret) ?? secret;
  // Client ids need no encoding, so that there is no second reading.
  const clientId = formDecoded(id) ?? id;
  return { clientId, clientSecret, writtenSecret: clientSecret === secret ? undefined : secret };
}

/** RFC 6749 appendix B: parts are form-encoded, but many clients do not encode them. Undefined if undecodable. */
function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** The token, revocation (RFC 7009) and introspection (RFC 7662) endpoints ignore others (RFC 6749 3.2). */
const TOKEN_PARAMETERS = [
  'grant_type',
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
  'scope',
  'token',
  'token_type_hint',
] as const;

type TokenParameter = (typeof TOKEN_PARAMETERS)[number];

/** Places of token parameters. */
export interface TokenRequestParts {
  readonly query: URLSearchParams;
  /** A form, a JSON value, or undefined without a body. */
  readonly body: unknown;
  readonly authorizations: readonly string[];
}

/** Merges the parameters of one request from all places. */
export class TokenParameters {
  /** Other schemes are ignored. */
  private readonly basic: readonly (BasicCredentials | 'malformed')[];

  constructor(private readonly parts: TokenRequestParts) {
    this.basic = parts.authorizations.filter((header) => BASIC.test(header)).map(readBasicCredentials);
  }

  get usesBasic(): boolean {
    return this.basic.length > 0;
  }

  /** The undecoded HTTP Basic secret, if decoding changes it. */
  get writtenSecret(): string | undefined {
    const [credentials] = this.basic;
    return credentials === 'malformed' ? undefined : credentials?.writtenSecret;
  }

  /** Deprecated URL parameters. */
  get inQuery(): readonly TokenParameter[] {
    return TOKEN_PARAMETERS.filter((name) => this.parts.query.getAll(name).some((value) => value !== ''));
  }

  /** Undefined if absent or empty. `invalid_request` for repeated, conflicting, non-text or unreadable values. */
  one(name: TokenParameter): string | undefined | OAuthError {
    const given = new Set<string>();
    for (const place of [this.parts.query.getAll(name), this.fromBody(name), this.fromBasic(name)]) {
      if (place instanceof OAuthError) return place;
      const values = place.filter((value) => value !== '');
      if (values.length > 1) return invalidRequest(`${name} is given more than once`);
      values.forEach((value) => given.add(value));
    }
    if (given.size > 1) return invalidRequest(`${name} is given with different values`);
    return [...given][0];
  }

  /** As `one` for each; returns the first fault. */
  all<const Name extends TokenParameter>(
    ...names: readonly Name[]
  ): { readonly [name in Name]: string | undefined } | OAuthError {
    const found: { [name in TokenParameter]?: string | undefined } = {};
    for (const name of names) {
      const value = this.one(name);
      if (value instanceof OAuthError) return value;
      found[name] = value;
    }
    return found;
  }

  private fromBody(name: TokenParameter): readonly string[] | OAuthError {
    const { body } = this.parts;
    // Client libraries send these in place of an absent body.
    if (body === undefined || body === null || body === '') return [];
    if (body instanceof URLSearchParams) return body.getAll(name);
    if (typeof body !== 'object' || Array.isArray(body)) {
      return invalidRequest('the body must be a form or a JSON object');
    }
    if (!Object.hasOwn(body, name)) return [];
    const value = (body as Readonly<Record<string, unknown>>)[name];
    // Clients serialize unset parameters as null.
    if (value === null) return [];
    return typeof value === 'string' ? [value] : invalidRequest(`${name} must be a string`);
  }

  private fromBasic(name: TokenParameter): readonly string[] | OAuthError {
    if (name !== 'client_id' && name !== 'client_secret') return [];
    const given = this.basic.filter((credentials) => credentials !== 'malformed');
    if (given.length < this.basic.length) {
      return invalidRequest('the Authorization header does not hold Basic credentials that can be read');
    }
    return given.map(({ clientId, clientSecret }) => (name === 'client_id' ? clientId : clientSecret));
  }
}

export function parametersOf(request: FastifyRequest): TokenParameters {
  const at = request.url.indexOf('?');
  return new TokenParameters({
    query: new URLSearchParams(at < 0 ? '' : request.url.slice(at)),
    body: request.body,
    // `headers` contains only the first one.
    authorizations: request.raw.headersDistinct['authorization'] ?? [],
  });
}

/** Other spellings may be longer than the registered ones. */
const LONGEST_ASKED = 2 * LONGEST_SCOPES;

/** The held scopes that `scope` asks for (A-12, RFC 6749 3.3). Undefined for others, none, or too many. */
export function narrowedScopes(held: readonly string[], asked: string): readonly string[] | undefined {
  if (asked.length > LONGEST_ASKED) return undefined;
  const texts = new Set(asked.split(' ').filter((scope) => scope !== ''));
  if (texts.size > MOST_SCOPES) return undefined;
  const wanted = new Set([...texts].map(meaningOf));
  const granted = held.filter((scope) => wanted.has(meaningOf(scope)));
  const isHeld = new Set(granted.map(meaningOf)).size === wanted.size;
  return isHeld && granted.length > 0 ? granted : undefined;
}

/** Equal for all spellings of a scope; an undecodable one equals only itself. */
function meaningOf(scope: string): string {
  const decoded = decodeScope(scope);
  return decoded === undefined ? scope : JSON.stringify([decoded.type, ordered(decoded.options)]);
}

/** Sorts options and their lists, whose order has no meaning. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set<unknown>(value)].sort();
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => [name, ordered(member)]);
}
