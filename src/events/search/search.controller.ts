import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';

import { Allow } from '../../access/allow.js';
import type { Caller } from '../../access/caller.js';
import { CurrentCaller } from '../../access/current-caller.js';
import { schemaRef } from './schema-ref.js';
import { searchAnswer } from './search-answer.js';
import { SearchService } from './search.service.js';

/** Interface, POST /events/search. */
@ApiTags('Search')
@Controller('events')
export class SearchController {
  constructor(private readonly searches: SearchService) {}

  @Post('search')
  @HttpCode(200)
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Allow('record.search')
  @ApiOperation({ operationId: 'event-search', summary: 'Search event records' })
  @ApiBody({ schema: schemaRef('SearchRequest') })
  @ApiResponse({
    status: 200,
    description: 'A page of the matching records, and their number',
    schema: schemaRef('SearchResponse'),
  })
  async search(@Body() body: unknown, @CurrentCaller() caller: Caller): Promise<string> {
    return searchAnswer(await this.searches.search(body, caller, new Date()));
  }
}
