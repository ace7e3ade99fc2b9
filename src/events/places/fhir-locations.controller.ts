import { OptionalMember } from '../../platform/dto/members.js';
import type { Readable } from 'node:stream';
import { Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags, type SchemaObject } from '@nestjs/swagger';
import { IsIn, Length } from 'class-validator';
import { Allow, ApiErrorAnswer, OwnUrlKeys, UuidParam } from '../../auth/access/decorators.js';
import { ETAG, NOT_MODIFIED, publicAddress } from '../../auth/access/request-target.js';
import { PLACE_STATUSES, type PlaceStatus } from '../../kernel/domain/location.js';
import { requireUuid } from '../../kernel/input/readers.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { keysOf, readQuery } from '../../platform/dto/read-dto.js';
import { IsName, IsText, IsWholeNumber } from '../../platform/dto/validators.js';
import { closedObject, dateTime, text, uuid } from '../../platform/dto/schemas.js';
import { networkOf } from '../../platform/queue/network-of.js';
import { TEXT_SCHEMA } from '../search/request/schemas.js';
import { fhirLocation, placesByType, startOf } from './places-by-type.js';
import { digestOf, type ListReply, PlaceAnswers } from './place-answers.js';
import { keptTexts, PlaceLists } from './place-lists.js';

const MOST = 1_000_000;

class FhirQueryDto {
  @OptionalMember(
    {
      type: String,
      minLength: 1,
      maxLength: 256,
      description: '`ADMIN_STRUCTURE`, `CRVS_OFFICE`, `HEALTH_FACILITY`, …',
    },
    IsName(),
  )
  type?: string;

  @OptionalMember(
    {
      type: String,
      minLength: 1,
      maxLength: 256,
      description: 'What the name begins with, in any letter case',
    },
    IsName(),
  )
  name?: string;

  @OptionalMember(
    {
      type: String,
      minLength: 1,
      maxLength: 512,
      description: '`<type>_<externalId>`, such as `CRVS_OFFICE_B12`, or with a system before it and `|`',
    },
    IsText(),
    Length(1, 512),
  )
  identifier?: string;

  // With ApiQuery, Nest leaves an enum out.
  @OptionalMember({ type: String, pattern: `^(${PLACE_STATUSES.join('|')})$` }, IsIn(PLACE_STATUSES))
  status?: PlaceStatus;

  @OptionalMember(
    { type: 'integer', minimum: 0, maximum: MOST, description: 'At most so many; 0 or absent: all' },
    IsWholeNumber(0, MOST),
  )
  _count?: number;
}

const META = closedObject({
  lastUpdated: { ...dateTime, description: 'Of a place: since when it is as it is' },
});

const CONCEPT = closedObject({
  coding: {
    type: 'array',
    minItems: 1,
    items: closedObject({ system: text, code: text, display: text }, { required: ['system', 'code'] }),
  },
});

const LOCATION: SchemaObject = {
  ...closedObject({
    resourceType: { type: 'string', enum: ['Location'] },
    id: uuid,
    meta: META,
    identifier: {
      type: 'array',
      minItems: 1,
      items: closedObject({ system: text, value: text }),
      description: '`<type>_<externalId, else id>`',
    },
    status: { type: 'string', enum: [...PLACE_STATUSES] },
    name: TEXT_SCHEMA,
    mode: { type: 'string', enum: ['instance'] },
    type: CONCEPT,
    physicalType: CONCEPT,
    partOf: closedObject({ reference: { type: 'string', description: '`Location/0`: the country' } }),
  }),
  description: 'A Location of FHIR R4, but for one `type` where R4 has a list',
};

const BUNDLE_MEMBERS: Record<string, SchemaObject> = {
  resourceType: { type: 'string', enum: ['Bundle'] },
  id: { type: 'string', description: 'The same while the answer is the same' },
  meta: META,
  type: { type: 'string', enum: ['searchset'] },
  total: { type: 'integer', minimum: 0 },
  link: {
    type: 'array',
    minItems: 1,
    items: closedObject({ relation: { type: 'string', enum: ['self'] }, url: text }),
  },
};

const ENTRY = closedObject({ fullUrl: text, resource: LOCATION });

const BUNDLE: SchemaObject = {
  ...closedObject(
    { ...BUNDLE_MEMBERS, entry: { type: 'array', minItems: 1, items: ENTRY, description: 'Absent: none matches' } },
    { required: Object.keys(BUNDLE_MEMBERS) },
  ),
  description: 'FHIR R4 Bundle',
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
    const { areas, locations, today, state } = await this.lists.whole();
    const found = placesByType([areas, locations], { type, status, name, identifier }, today);
    let total = 0;
    for (const places = found[Symbol.iterator](); places.next().done !== true;) total += 1;
    const { address, parameters } = publicAddress(originalUrl, this.config.PUBLIC_URL);
    const url = parameters.size === 0 ? address : `${address}?${parameters.toString()}`;
    const asked = ['fhir', type, status, name, identifier, count, state];
    const bundle = JSON.stringify({
      resourceType: 'Bundle',
      id: digestOf(asked),
      meta: { lastUpdated: startOf(today) },
      type: 'searchset',
      total,
      link: [{ relation: 'self', url }],
    });
    // FHIR has no empty lists.
    const [head, tail] = total === 0 ? ['', '}'] : [',"entry":[', ']}'];
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

function* firstOf<T>(list: Iterable<T>, count: number): Generator<T> {
  let left = count;
  for (const one of list) {
    yield one;
    left -= 1;
    if (left === 0) return;
  }
}

/** Releases 1.x ignored unknown parameters. */
function onlyKnown(query: object): object {
  const known = keysOf(FhirQueryDto);
  return Object.fromEntries(Object.entries(query).filter(([key]) => known.includes(key)));
}
