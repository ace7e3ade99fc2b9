import type { Readable } from 'node:stream';
import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, type ApiResponseOptions, ApiTags, type SchemaObject } from '@nestjs/swagger';
import { Allow, ApiSharedError, type Asker, CurrentAsker, PathId } from '../../auth/access/decorators.js';
import { ETAG, NOT_MODIFIED } from '../../auth/access/request-target.js';
import { type Place, PLACE_STATUSES } from '../../kernel/domain/location.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Dto, Takes } from '../../platform/dto/members.js';
import { closedObject, uuid } from '../../platform/dto/schemas.js';
import { TEXT_SCHEMA } from '../search/request/schemas.js';
import { type ListReply, type ListRequest, PlaceAnswers } from './place-answers.js';
import { PlaceLists, type PlaceView } from './place-lists.js';
import { PlaceWriter } from './place-writer.js';
import {
  AdministrativeAreasQueryDto,
  CreateAdministrativeAreaDto,
  CreateLocationDto,
  type Creation,
  filterOf,
  LocationsQueryDto,
  newPlace,
  type PlacesQuery,
  snapshotOf,
  UpdatePlaceByIdDto,
  UpdatePlaceDto,
} from './place.dto.js';
import { capitalized } from './place-decisions.js';

const orNull = (schema: SchemaObject): SchemaObject => ({ anyOf: [schema, { type: 'null' }] });

const STATE: Record<string, SchemaObject> = {
  name: TEXT_SCHEMA,
  externalId: orNull(TEXT_SCHEMA),
  status: { type: 'string', enum: [...PLACE_STATUSES] },
};

const VERSIONS: SchemaObject = {
  type: 'array',
  minItems: 1,
  description: 'In the order of their days',
  items: closedObject({
    versionId: uuid,
    effectiveFrom: { type: 'string', format: 'date', description: '`0001-01-01`: always' },
    ...STATE,
  }),
};

interface KindOfPlace {
  readonly kind: Place['kind'];
  readonly path: string;
  /** In ids of operations. */
  readonly collection: string;
  readonly one: string;
  readonly many: string;
  /** The members that never change. */
  readonly fixed: string;
  /** The members of an answer beside those of every place. */
  readonly own: Record<string, SchemaObject>;
  readonly query: Dto<PlacesQuery>;
  readonly creation: Dto<Creation>;
}

/** The routes of one kind of places (L-1). */
function placesController({ kind, path, collection, one, many, fixed, own, query: QueryDto, creation }: KindOfPlace) {
  const operation = (name: string, summary: string, description: string): MethodDecorator =>
    ApiOperation({ operationId: `${collection}-${name}`, summary, description });
  const noun = one.slice(one.indexOf(' ') + 1);
  const schema = closedObject({ id: uuid, ...STATE, ...own, versions: VERSIONS });
  const ONE: ApiResponseOptions = { status: 200, description: `The ${noun} with its versions`, schema };
  const LIST: ApiResponseOptions = {
    status: 200,
    description: `${capitalized(many)}, in the order of their ids; the flat members are those of the version in effect today`,
    schema: { type: 'array', items: schema },
    headers: {
      ...ETAG,
      Link: { description: 'With `limit`, while there is more: `<…>; rel="next"`', schema: { type: 'string' } },
    },
  };

  @ApiTags('Places')
  @Controller(path)
  class PlacesController {
    constructor(
      private readonly lists: PlaceLists,
      private readonly answers: PlaceAnswers,
      private readonly writer: PlaceWriter,
    ) {}

    @Takes(QueryDto)
    @Get()
    @Allow('authenticated')
    @operation(
      'list',
      `List ${many}`,
      'All of them, or with `limit` page by page: the `Link` header leads to the next page.',
    )
    @ApiResponse(LIST)
    @ApiResponse(NOT_MODIFIED)
    list(
      @Query() query: PlacesQuery,
      @Req() request: ListRequest,
      @Res({ passthrough: true }) reply: ListReply,
    ): Promise<string | Readable | undefined> {
      return this.answers.list(kind, filterOf(query), request, reply);
    }

    @Get(':id')
    @Allow('authenticated')
    @operation('get', capitalized(one), 'With all its versions, past and scheduled ones too.')
    @ApiResponse(ONE)
    get(@PathId() id: Uuid): Promise<PlaceView> {
      return this.lists.get(kind, id);
    }

    @Takes(creation)
    @Post()
    @HttpCode(200)
    @Allow('location.edit')
    @operation(
      'create',
      `Create ${one}`,
      'Never changes one. The same request again answers what is there, by the `id` or the `versionId`.',
    )
    @ApiResponse(ONE)
    @ApiSharedError('CONFLICT')
    async create(@Body() body: Creation, @CurrentAsker() asker: Asker): Promise<PlaceView> {
      return this.lists.view(await this.writer.create(newPlace(kind, body), asker));
    }

    @Put()
    @Allow('location.edit')
    @operation('updateById', `Change ${one} that the body names`, `As \`PUT /${path}/{id}\`.`)
    @ApiResponse(ONE)
    @ApiSharedError('NOT_FOUND')
    @ApiSharedError('CONFLICT')
    @ApiSharedError('UNPROCESSABLE_CONTENT')
    async updateById(@Body() body: UpdatePlaceByIdDto, @CurrentAsker() asker: Asker): Promise<PlaceView> {
      return this.lists.view(await this.writer.update(kind, body.id, snapshotOf(body), asker));
    }

    @Put(':id')
    @Allow('location.edit')
    @operation(
      'update',
      `Change ${one}`,
      `Appends a version: a full snapshot of its state from a day on, which may be past or to come. Its ${fixed} never ${fixed.includes(' and ') ? 'change' : 'changes'}.`,
    )
    @ApiResponse(ONE)
    @ApiSharedError('CONFLICT')
    @ApiSharedError('UNPROCESSABLE_CONTENT')
    async update(@PathId() id: Uuid, @Body() body: UpdatePlaceDto, @CurrentAsker() asker: Asker): Promise<PlaceView> {
      return this.lists.view(await this.writer.update(kind, id, snapshotOf(body), asker));
    }

    @Delete(':id/versions/:versionId')
    @Allow('location.edit')
    @operation(
      'withdrawVersion',
      `Withdraw a scheduled version of ${one}`,
      'Only one that is not in effect yet, and not the only one.',
    )
    @ApiResponse(ONE)
    @ApiSharedError('CONFLICT')
    async withdrawVersion(
      @PathId() id: Uuid,
      @PathId('versionId') versionId: Uuid,
      @CurrentAsker() asker: Asker,
    ): Promise<PlaceView> {
      return this.lists.view(await this.writer.withdrawVersion(kind, id, versionId, asker));
    }
  }
  return PlacesController;
}

/** Registration offices and health facilities. */
export const LocationsController = placesController({
  kind: 'location',
  path: 'locations',
  collection: 'locations',
  one: 'a location',
  many: 'locations',
  fixed: 'parent and type',
  own: { administrativeAreaId: orNull(uuid), locationType: orNull(TEXT_SCHEMA) },
  query: LocationsQueryDto,
  creation: CreateLocationDto,
});

export const AdministrativeAreasController = placesController({
  kind: 'administrativeArea',
  path: 'administrative-areas',
  collection: 'administrativeAreas',
  one: 'an administrative area',
  many: 'administrative areas',
  fixed: 'parent',
  own: { parentId: orNull(uuid) },
  query: AdministrativeAreasQueryDto,
  creation: CreateAdministrativeAreaDto,
});
