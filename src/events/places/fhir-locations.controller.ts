import { OptionalMember, MayBeAbsent } from '../../platform/dto/members.js';
import type { Readable } from 'node:stream';
import { Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiPropertyOptional, ApiQuery, ApiResponse, ApiTags, type SchemaObject } from '@nestjs/swagger';
import { IsIn, Length } from 'class-validator';
import { Allow, ApiErrorAnswer, OwnUrlKeys, UuidParam } from '../../auth/access/decorators.js';
import { ETAG, NOT_MODIFIED, publicAddress } from '../../auth/access/request-target.js';
import { PLACE_STATUSES, type PlaceStatus } from '../../kernel/domain/location.js';
import { requireUuid } from '../../kernel/input/readers.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { keysOf, readQuery } from '../../platform/dto/read-dto.js';
import { IsName, IsText, IsWholeNumber } from '../../platform/dto/validators.js';
import { uuid } from '../../platform/dto/schemas.js';
import { networkOf } from '../../platform/queue/network-of.js';
import { TEXT_SCHEMA } from '../search/request/schemas.js';
import { fhirLocation, PlacesByType, startOf } from './places-by-type.js';
import { digestOf, type ListReply, PlaceAnswers } from './place-answers.js';
import { keptTexts, PlaceLists } from './place-lists.js';

const MOST = 1_000_000;

class FhirQueryDto {
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: 256,
    description: '`ADMIN_STRUCTURE`, `CRVS_OFFICE`, `HEALTH_FACILITY`, …',
  })
  @MayBeAbsent()
  @IsName()
  type?: string;

  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: 256,
    description: 'What the name begins with, in any letter case',
  })
  @MayBeAbsent()
  @IsName()
  name?: string;

  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: 512,
    description: '`<type>_<externalId>`, such as `CRVS_OFFICE_B12`, or with a system before it and `|`',
  })
  @MayBeAbsent()
  @IsText()
  @Length(1, 512)
  identifier?: string;

  // With ApiQuery, Nest leaves an enum out.
  @OptionalMember({ type: String, pattern: `^(${PLACE_STATUSES.join('|')})$` }, IsIn(PLACE_STATUSES))
  status?: PlaceStatus;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MOST, description: 'At most so many; 0 or absent: all' })
  @MayBeAbsent()
  @IsWholeNumber(0, MOST)
  _count?: number;
}

const META: SchemaObject = {
  type: 'object',
  properties: {
    lastUpdated: { type: 'string', format: 'date-time', description: 'Of a place: since when it is as it is' },
  },
  required: ['lastUpdated'],
};

const CODING: SchemaObject = {
  type: 'object',
  properties: { system: { type: 'string' }, code: { type: 'string' }, display: { type: 'string' } },
  required: ['system', 'code'],
};

const CONCEPT: SchemaObject = {
  type: 'object',
  properties: { coding: { type: 'array', minItems: 1, items: CODING } },
  required: ['coding'],
};

const IDENTIFIER: SchemaObject = {
  type: 'object',
  properties: { system: { type: 'string' }, value: { type: 'string' } },
  required: ['system', 'value'],
};

const LOCATION: SchemaObject = {
  type: 'object',
  description: 'A Location of FHIR R4, but for one `type` where R4 has a list',
  properties: {
    resourceType: { type: 'string', enum: ['Location'] },
    id: uuid,
    meta: META,
    identifier: { type: 'array', minItems: 1, items: IDENTIFIER, description: '`<type>_<externalId, else id>`' },
    status: { type: 'string', enum: [...PLACE_STATUSES] },
    name: TEXT_SCHEMA,
    mode: { type: 'string', enum: ['instance'] },
    type: CONCEPT,
    physicalType: CONCEPT,
    partOf: {
      type: 'object',
      properties: { reference: { type: 'string', description: '`Location/0`: the country' } },
      required: ['reference'],
    },
  },
  required: ['resourceType', 'id', 'meta', 'identifier', 'status', 'name', 'mode', 'type', 'physicalType', 'partOf'],
};

const LINK: SchemaObject = {
  type: 'object',
  properties: { relation: { type: 'string', enum: ['self'] }, url: { type: 'string' } },
  required: ['relation', 'url'],
};

const ENTRY: SchemaObject = {
  type: 'object',
  properties: { fullUrl: { type: 'string' }, resource: LOCATION },
  required: ['fullUrl', 'resource'],
};

const BUNDLE: SchemaObject = {
  type: 'object',
  description: 'FHIR R4 Bundle',
  properties: {
    resourceType: { type: 'string', enum: ['Bundle'] },
    id: { type: 'string', description: 'The same while the answer is the same' },
    meta: META,
    type: { type: 'string', enum: ['searchset'] },
    total: { type: 'integer', minimum: 0 },
    link: { type: 'array', minItems: 1, items: LINK },
    entry: { type: 'array', minItems: 1, items: ENTRY, description: 'Absent: none matches' },
  },
  required: ['resourceType', 'id', 'meta', 'type', 'total', 'link'],
};

interface Asked {
  /** Client address, in place of a token. */
  readonly ip: string;
  readonly headers: { readonly 'if-none-match'?: string };
  readonly originalUrl: string;
}

/** Places for clients of releases 1.x, without a token (L-4). */
@ApiTags('Places')
@Controller('location')
@Allow('public')
export class FhirLocationsController {
  private readonly textOf = keptTexts((place, today) => JSON.stringify(fhirLocation(place, today)));

  constructor(
    private readonly lists: PlaceLists,
    private readonly byType: PlacesByType,
    private readonly answers: PlaceAnswers,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL'>,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'fhirLocation-list',
    summary: 'Places as FHIR Locations',
    description:
      'For clients of releases 1.x: a Bundle of those that match every parameter, as they are today. ' +
      'Other parameters are ignored.',
  })
  @ApiQuery({ type: FhirQueryDto })
  @ApiResponse({ status: 200, description: 'A Bundle of Locations', schema: BUNDLE, headers: ETAG })
  @ApiResponse(NOT_MODIFIED)
  async list(
    @Query() query: object,
    @Req() { ip, headers, originalUrl }: Asked,
    @Res({ passthrough: true }) reply: ListReply,
  ): Promise<string | Readable | undefined> {
    const { type, status, name, identifier, _count: count = 0 } = await readQuery(FhirQueryDto, onlyKnown(query));
    const { places: found, today, state } = await this.byType.find({ type, status, name, identifier });
    const { address, parameters } = publicAddress(originalUrl, this.config.PUBLIC_URL);
    const url = parameters.size === 0 ? address : `${address}?${parameters.toString()}`;
    const asked = ['fhir', type, status, name, identifier, count, state];
    const bundle = JSON.stringify({
      resourceType: 'Bundle',
      id: digestOf(asked),
      meta: { lastUpdated: startOf(today) },
      type: 'searchset',
      total: found.length,
      link: [{ relation: 'self', url }],
    });
    // FHIR has no empty lists.
    const [head, tail] = found.length === 0 ? ['', '}'] : [',"entry":[', ']}'];
    return this.answers.answer(
      {
        places: count === 0 ? found : firstOf(found, count),
        asked,
        textOf: (place) =>
          `{"fullUrl":${JSON.stringify(`${address}/${place.id}`)},"resource":${this.textOf(place, today)}}`,
        head: `${bundle.slice(0, -1)}${head}`,
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
    summary: 'A place as a FHIR Location',
    description: 'For clients of releases 1.x: an administrative area or a location, as it is today.',
  })
  @OwnUrlKeys('any')
  @UuidParam('id')
  @ApiResponse({ status: 200, description: 'The Location', schema: LOCATION })
  @ApiErrorAnswer('BAD_REQUEST', 'The id is no UUID')
  async get(@Param('id') id: string): Promise<object> {
    return fhirLocation(await this.lists.placeOfAnyKind(requireUuid(id, 'id')), this.lists.today());
  }
}

function* firstOf<T>(list: readonly T[], count: number): Generator<T> {
  for (let at = 0; at < count && at < list.length; at += 1) yield list[at] as T;
}

/** Releases 1.x ignored unknown parameters. */
function onlyKnown(query: object): object {
  const known = keysOf(FhirQueryDto);
  return Object.fromEntries(Object.entries(query).filter(([key]) => known.includes(key)));
}
