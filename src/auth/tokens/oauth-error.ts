/** RFC 6749 5.2 and RFC 7009 2.2.1: the registered codes that the OAuth endpoints answer with. */
export type OAuthErrorCode =
  'invalid_request' | 'unsupported_grant_type' | 'invalid_client' | 'invalid_scope' | 'unsupported_token_type';

/** RFC 6749 5.2: the body of an error of the token endpoint. */
export interface OAuthErrorBody {
  readonly error: OAuthErrorCode;
  readonly error_description: string;
  readonly error_uri: string;
}

/** A refusal of the token endpoint. It is an outcome, not an exception: the controller answers with it. */
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

  /** `documentation`: URL of a page that describes the endpoint. */
  body(documentation: string): OAuthErrorBody {
    return { error: this.error, error_description: this.description, error_uri: documentation };
  }
}

/** The refusal of a request that is not as its RFC wants it. */
export const invalidRequest = (description: string): OAuthError => new OAuthError('invalid_request', description);
