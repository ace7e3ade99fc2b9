import type { Readable } from 'node:stream';
import { Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Allow, type AuthenticatedRequest, OwnUrlKeys } from '../../auth/access/decorators.js';
import { type Answering, hangUpOf } from '../../platform/queue/hang-up.js';
import { nextLink } from '../../auth/access/request-target.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { acceptsNdjson } from './answer/streamed-body.js';
import { schemaRef } from './request/schemas.js';
import { SEARCH_ANSWER } from './search.openapi.js';
import { SearchService } from './search.service.js';

interface AskedFor extends AuthenticatedRequest {
  readonly body: unknown;
  readonly query: { readonly cursor?: unknown };
  readonly headers: { readonly accept?: string };
  readonly originalUrl: string;
}

interface Reply extends Answering {
  header(name: string, value: string): unknown;
}

/** `POST /events/search`. */
@ApiTags('Search')
@Controller('events')
export class SearchController {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly searches: SearchService,
  ) {}

  @Post('search')
  @HttpCode(200)
  @Allow('record.search')
  @OwnUrlKeys(['cursor'])
  @ApiOperation({
    operationId: 'event-search',
    summary: 'Search event records',
    description:
      "A boolean tree of conditions over metadata and declarations, within what the caller's scopes cover. The total is exact, and of the same moment as the page.",
  })
  @ApiBody({ schema: schemaRef('SearchRequest') })
  @ApiQuery({
    name: 'cursor',
    required: false,
    schema: { type: 'string', minLength: 1 },
    description: 'As `cursor` of the body',
  })
  @ApiResponse(SEARCH_ANSWER)
  async search(
    // Separate parameters would each pass through the pipes.
    @Req() { body, query, caller, headers, originalUrl }: AskedFor,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<string | Buffer | Readable> {
    const hungUp = hangUpOf(reply);
    const asker = { caller, now: new Date(), hungUp };
    if (acceptsNdjson(headers.accept)) {
      const lines = await this.searches.stream(body, asker, query.cursor);
      reply.header('content-type', 'application/x-ndjson');
      return lines;
    }
    const { json, cursor } = await this.searches.search(body, asker, query.cursor);
    hungUp.throwIfAborted();
    reply.header('content-type', 'application/json; charset=utf-8');
    if (cursor !== undefined) reply.header('link', nextLink(cursor, originalUrl, this.config.PUBLIC_URL));
    return json;
  }
}
