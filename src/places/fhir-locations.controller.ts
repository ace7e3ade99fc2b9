import type { Readable } from 'node:stream';

import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { SchemaObject } from '@nestjs/swagger';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';

import { Allow } from '../access/allow.js';
import { ETAG, NOT_MODIFIED } from '../access/entity-tag.js';
import { networkOf } from '../access/network-of.js';
import { UuidParam } from '../access/routes/uuid-param.js';
import { uuid } from '../access/value-schemas.js';
import { requireUuid } from '../input/require-uuid.js';
import { fhirLocation } from './fhir-location.js';
import { FhirQueryDto } from './fhir-query.dto.js';
import type { ListReply } from './place-answers.js';
import { PlaceAnswers } from './place-answers.js';
import { keptTexts, PlaceLists } from './place-lists.js';
import { PlacesByType } from './places-by-type.js';

const LOCATION: SchemaObject = {
  type: 'object',
  description: 'FHIR R4 Location',
  properties: { resourceType: { type: 'string', enum: ['Location'] }, id: uuid },
  required: ['resourceType', 'id', 'status', 'name', 'type', 'partOf'],
};

const BUNDLE: SchemaObject = {
  type: 'object',
  description: 'FHIR R4 Bundle',
  properties: {
    resourceType: { type: 'string', enum: ['Bundle'] },
    type: { type: 'string', enum: ['searchset'] },
    total: { type: 'integer', minimum: 0 },
    entry: {
      type: 'array',
      items: { type: 'object', properties: { resource: LOCATION }, required: ['resource'] },
    },
  },
  required: ['resourceType', 'type', 'total'],
};

interface Asked {
  /** The address of the client: it needs no token. */
  readonly ip: string;
  readonly headers: { readonly 'if-none-match'?: string };
}

/** The places as clients of releases 1.x read them, without a token, as there (L-4). */
@ApiTags('Places')
@Controller('location')
@Allow('public')
export class FhirLocationsController {
  private readonly textOf = keptTexts((place, today) => `{"resource":${JSON.stringify(fhirLocation(place, today))}}`);

  constructor(
    private readonly lists: PlaceLists,
    private readonly byType: PlacesByType,
    private readonly answers: PlaceAnswers,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'fhirLocation-list',
    summary: 'Places as FHIR R4 Locations',
    description: 'For clients of releases 1.x: a Bundle of those that match every parameter, as they are today.',
  })
  @ApiResponse({ status: 200, description: 'A Bundle of Locations', schema: BUNDLE, headers: ETAG })
  @ApiResponse(NOT_MODIFIED)
  async list(
    @Query() { type, status, name, identifier, _count: count = 0 }: FhirQueryDto,
    @Req() { ip, headers }: Asked,
    @Res({ passthrough: true }) reply: ListReply,
  ): Promise<string | Readable | undefined> {
    const { places: found, today, state } = await this.byType.find({ type, status, name, identifier });
    // FHIR knows no empty lists.
    const [head, tail] = found.length === 0 ? ['', '}'] : [',"entry":[', ']}'];
    return this.answers.answer(
      {
        places: count === 0 ? found : firstOf(found, count),
        asked: ['fhir', type, status, name, identifier, count, state],
        textOf: (place) => this.textOf(place, today),
        head: `{"resourceType":"Bundle","type":"searchset","total":${found.length}${head}`,
        tail,
        capacity: 'public-places',
        client: networkOf(ip),
      },
      { headers },
      reply,
    );
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'fhirLocation-get',
    summary: 'A place as a FHIR R4 Location',
    description: 'For clients of releases 1.x: an administrative area or a location, as it is today.',
  })
  @UuidParam('id')
  @ApiResponse({ status: 200, description: 'The Location', schema: LOCATION })
  async get(@Param('id') id: string): Promise<object> {
    return fhirLocation(await this.lists.placeOfAnyKind(requireUuid(id, 'id')), this.lists.today());
  }
}

function* firstOf<T>(list: readonly T[], count: number): Generator<T> {
  for (let at = 0; at < count && at < list.length; at += 1) yield list[at] as T;
}
