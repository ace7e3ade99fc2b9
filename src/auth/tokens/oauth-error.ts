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
