import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/config.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ClientAuthentication } from '../clients/client-authentication.js';
import { AccessTokens } from '../tokens/access-tokens.js';
import { narrowedScopes } from '../tokens/narrowed-scopes.js';
import { OAuthError } from '../tokens/oauth-error.js';
import type { TokenParameters } from '../tokens/token-parameters.js';

/** RFC 6749 5.1; `TOKEN_RESPONSE=minimal` omits the last two. */
export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in?: number;
  readonly scope?: string;
}

export interface IssuedToken {
  readonly clientId: Uuid;
  readonly answer: TokenAnswer;
}

/** Client credentials grant (RFC 6749 4.4). */
@Injectable()
export class ClientCredentialsGrant {
  static readonly TYPE = 'client_credentials';

  constructor(
    private readonly clients: ClientAuthentication,
    private readonly tokens: AccessTokens,
    @Inject(CONFIG) private readonly config: Pick<Config, 'TOKEN_RESPONSE'>,
  ) {}

  /**
   * Errors: those of `ClientAuthentication.ofRequest`, and `invalid_scope` for a scope not held. `address` is
   * the peer's (G-8).
   */
  async issue(parameters: TokenParameters, address: string, now: Date): Promise<IssuedToken | OAuthError> {
    const asked = parameters.one('scope');
    if (asked instanceof OAuthError) return asked;
    const client = await this.clients.ofRequest(parameters, address);
    if (client instanceof OAuthError) return client;
    const scopes = asked === undefined ? client.scopes : narrowedScopes(client.scopes, asked);
    if (scopes === undefined) return new OAuthError('invalid_scope', 'scope must name scopes of the client alone');
    const isFull = this.config.TOKEN_RESPONSE === 'oauth';
    return {
      clientId: client.clientId,
      answer: {
        access_token: await this.tokens.clientToken({ ...client, scopes }, now),
        token_type: 'Bearer',
        ...(isFull && { expires_in: this.tokens.clientTokenSeconds }),
        // A request with scopes is told the granted ones.
        ...((isFull || asked !== undefined) && { scope: scopes.join(' ') }),
      },
    };
  }
}
