import type { BasicCredentials } from './basic-credentials.js';
import { readBasicCredentials } from './basic-credentials.js';
import { invalidRequest, OAuthError } from './oauth-error.js';

/**
 * The parameters that have a meaning at the token endpoint, or at those of revocation (RFC 7009) and introspection
 * (RFC 7662); all others are ignored (RFC 6749 3.2).
 */
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

/** Where the parameters of a token request may be. */
export interface TokenRequestParts {
  readonly query: URLSearchParams;
  /** A form, a JSON value, or undefined if there is no body. */
  readonly body: unknown;
  /** The `Authorization` headers. */
  readonly authorizations: readonly string[];
}

/** The parameters of one token request, wherever they are. */
export class TokenParameters {
  /** Other schemes are ignored. */
  private readonly basic: readonly BasicCredentials[];

  constructor(private readonly parts: TokenRequestParts) {
    this.basic = parts.authorizations.map(readBasicCredentials).filter(({ kind }) => kind !== 'absent');
  }

  /** Whether the client authenticates with HTTP Basic. */
  get usesBasic(): boolean {
    return this.basic.length > 0;
  }

  /** The secret of HTTP Basic as it was written, where decoding makes another of it; undefined otherwise. */
  get writtenSecret(): string | undefined {
    const [credentials] = this.basic;
    return credentials?.kind === 'given' ? credentials.writtenSecret : undefined;
  }

  /** The parameters in the URL, which is deprecated. */
  get inQuery(): readonly TokenParameter[] {
    return TOKEN_PARAMETERS.filter((name) => this.parts.query.getAll(name).some((value) => value !== ''));
  }

  /**
   * The value of a parameter; undefined if it is absent or empty. `invalid_request` if one place has it twice, two
   * places have different values, it is not a text, or its place cannot be read.
   */
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

  /** Several of them, as `one` reads each; the first fault if one cannot be read. */
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
    // Client libraries send these where there is no body.
    if (body === undefined || body === null || body === '') return [];
    if (body instanceof URLSearchParams) return body.getAll(name);
    if (typeof body !== 'object' || Array.isArray(body)) {
      return invalidRequest('the body must be a form or a JSON object');
    }
    if (!Object.hasOwn(body, name)) return [];
    const value = (body as Readonly<Record<string, unknown>>)[name];
    // As an empty value: clients write out what they have not set.
    if (value === null) return [];
    return typeof value === 'string' ? [value] : invalidRequest(`${name} must be a string`);
  }

  private fromBasic(name: TokenParameter): readonly string[] | OAuthError {
    if (name !== 'client_id' && name !== 'client_secret') return [];
    const given = this.basic.filter((credentials) => credentials.kind === 'given');
    if (given.length < this.basic.length) {
      return invalidRequest('the Authorization header does not hold Basic credentials that can be read');
    }
    return given.map(({ clientId, clientSecret }) => (name === 'client_id' ? clientId : clientSecret));
  }
}
