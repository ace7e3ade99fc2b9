import { Inject, Injectable } from '@nestjs/common';
import { decodeScope } from '../../kernel/domain/scopes/decode-scope.js';
import { LONGEST_SCOPES, MOST_SCOPES } from '../../kernel/domain/scopes/scope.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ClientAuthentication } from '../clients/client-authentication.js';
import { AccessTokens } from '../tokens/access-tokens.js';
import { OAuthError, type TokenParameters } from '../tokens/token-parameters.js';

/** Other spellings may be longer than the registered ones. */
const LONGEST_ASKED = 2 * LONGEST_SCOPES;

/**
 * The client's scopes requested by `scope` (A-12, RFC 6749 3.3), in registered spelling and order. Undefined for scopes
 * not held, none, or too many.
 */
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
