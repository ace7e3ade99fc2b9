import type { Readable } from 'node:stream';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Allow } from '../../auth/access/decorators.js';
import { ApiSharedError } from '../../auth/access/api-error-answer.js';
import { type Asker, CurrentAsker, UuidParam } from '../../auth/access/parameters.js';
import { NOT_MODIFIED } from '../../auth/access/request-target.js';
import { requireUuid } from '../../kernel/input/readers.js';
import { type ListReply, type ListRequest, PlaceAnswers } from './place-answers.js';
import { PlaceLists } from './place-lists.js';
import type { PlaceViews } from './place-view.js';
import { PlaceWriter } from './place-writer.js';
import { CreateLocationDto, newLocation, snapshotOf, UpdatePlaceByIdDto, UpdatePlaceDto } from './place.dto.js';
import { LocationsQueryDto } from './places-query.dto.js';
import { LOCATION_ANSWERS } from './places.openapi.js';

const KIND = 'location';

type View = PlaceViews[typeof KIND];

/** Registration offices and health facilities (L-1). */
@ApiTags('Places')
@Controller('locations')
export class LocationsController {
  constructor(
    private readonly lists: PlaceLists,
    private readonly answers: PlaceAnswers,
    private readonly writer: PlaceWriter,
  ) {}

  @Get()
  @Allow('authenticated')
  @ApiOperation({
    operationId: 'locations-list',
    summary: 'List locations',
    description: 'All of them, or with `limit` page by page: the `Link` header leads to the next page.',
  })
  @ApiResponse(LOCATION_ANSWERS.list)
  @ApiResponse(NOT_MODIFIED)
  list(
    @Query() { locationIds: ids, cursor: after, ...filter }: LocationsQueryDto,
    @Req() request: ListRequest,
    @Res({ passthrough: true }) reply: ListReply,
  ): Promise<string | Readable | undefined> {
    return this.answers.list(KIND, { ...filter, ids, after }, request, reply);
  }

  @Get(':id')
  @Allow('authenticated')
  @ApiOperation({
    operationId: 'locations-get',
    summary: 'A location',
    description: 'With all its versions, past and scheduled ones too.',
  })
  @UuidParam('id')
  @ApiResponse(LOCATION_ANSWERS.one)
  get(@Param('id') id: string): Promise<View> {
    return this.lists.get(KIND, requireUuid(id, 'id'));
  }

  @Post()
  @HttpCode(200)
  @Allow('location.edit')
  @ApiOperation({
    operationId: 'locations-create',
    summary: 'Create a location',
    description: 'Never changes one. The same request again answers what is there, by the `id` or the `versionId`.',
  })
  @ApiResponse(LOCATION_ANSWERS.one)
  @ApiSharedError('CONFLICT')
  async create(@Body() body: CreateLocationDto, @CurrentAsker() asker: Asker): Promise<View> {
    return this.lists.viewAs(KIND, await this.writer.create(newLocation(body), asker));
  }

  @Put()
  @Allow('location.edit')
  @ApiOperation({
    operationId: 'locations-updateById',
    summary: 'Change a location that the body names',
    description: 'As `PUT /locations/{id}`.',
  })
  @ApiResponse(LOCATION_ANSWERS.one)
  @ApiSharedError('NOT_FOUND')
  @ApiSharedError('CONFLICT')
  @ApiSharedError('UNPROCESSABLE_CONTENT')
  async updateById(@Body() body: UpdatePlaceByIdDto, @CurrentAsker() asker: Asker): Promise<View> {
    return this.lists.viewAs(KIND, await this.writer.update(KIND, body.id, snapshotOf(body), asker));
  }

  @Put(':id')
  @Allow('location.edit')
  @ApiOperation({
    operationId: 'locations-update',
    summary: 'Change a location',
    description:
      'Appends a version: a full snapshot of its state from a day on, which may be past or to come. Its parent and type never change.',
  })
  @UuidParam('id')
  @ApiResponse(LOCATION_ANSWERS.one)
  @ApiSharedError('CONFLICT')
  @ApiSharedError('UNPROCESSABLE_CONTENT')
  async update(@Param('id') id: string, @Body() body: UpdatePlaceDto, @CurrentAsker() asker: Asker): Promise<View> {
    return this.lists.viewAs(KIND, await this.writer.update(KIND, requireUuid(id, 'id'), snapshotOf(body), asker));
  }

  @Delete(':id/versions/:versionId')
  @Allow('location.edit')
  @ApiOperation({
    operationId: 'locations-withdrawVersion',
    summary: 'Withdraw a scheduled version of a location',
    description: 'Only one that is not in effect yet, and not the only one.',
  })
  @UuidParam('id')
  @UuidParam('versionId')
  @ApiResponse(LOCATION_ANSWERS.one)
  @ApiSharedError('CONFLICT')
  async withdrawVersion(
    @Param('id') id: string,
    @Param('versionId') versionId: string,
    @CurrentAsker() asker: Asker,
  ): Promise<View> {
    const changed = await this.writer.withdrawVersion(
      KIND,
      requireUuid(id, 'id'),
      requireUuid(versionId, 'versionId'),
      asker,
    );
    return this.lists.viewAs(KIND, changed);
  }
}
