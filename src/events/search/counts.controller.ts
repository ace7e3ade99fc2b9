import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags, type SchemaObject } from '@nestjs/swagger';
import { Allow, type Asker, CurrentAsker } from '../../auth/access/decorators.js';
import { closedObject } from '../../platform/dto/schemas.js';
import { schemaRef } from './request/schemas.js';
import { MAX_COUNTED, SearchCounts, type Totals } from './search-counts.js';

/** S-17. */
const COUNTS_REQUEST_SCHEMA: SchemaObject = {
  ...closedObject({
    queries: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_COUNTED,
      items: closedObject({ query: schemaRef('QueryType') }),
      description: 'Their clauses and fields have the limits of one search together',
    },
  }),
  examples: [
    {
      queries: [
        { query: { clauses: [{ status: { type: 'exact', term: 'DECLARED' } }] } },
        { query: { clauses: [{ flags: { anyOf: ['potential-duplicate'] } }] } },
      ],
    },
  ],
};

const COUNTS_ANSWER_SCHEMA: SchemaObject = closedObject({
  totals: {
    type: 'array',
    minItems: 1,
    maxItems: MAX_COUNTED,
    items: { type: 'integer', minimum: 0 },
    description: 'How many records match, in the order of the queries',
  },
});

/** Beyond the interface (S-17). */
@ApiTags('Search')
@Controller('events')
export class CountsController {
  constructor(private readonly counts: SearchCounts) {}

  @Post('search/counts')
  @HttpCode(200)
  @Allow('record.search')
  @ApiOperation({
    operationId: 'event-countSearches',
    summary: 'How many records match each of several queries',
    description:
      'Exact totals of one moment, as work queues show them. Together the queries may cost what one search may.',
  })
  @ApiBody({ schema: COUNTS_REQUEST_SCHEMA })
  @ApiResponse({
    status: 200,
    description: 'The totals, in the order of the queries',
    schema: COUNTS_ANSWER_SCHEMA,
  })
  async count(@Body() body: unknown, @CurrentAsker() asker: Asker): Promise<Totals> {
    return this.counts.count(body, { ...asker, now: new Date() });
  }
}
