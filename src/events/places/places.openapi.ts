import type { ApiResponseOptions, SchemaObject } from '@nestjs/swagger';
import { closedObject, uuid } from '../../platform/openapi/schemas.js';
import { ETAG } from '../../auth/access/request-target.js';
import { PLACE_STATUSES } from '../../kernel/domain/location.js';
import { TEXT_SCHEMA } from '../search/request/schemas.js';

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

const LOCATION: SchemaObject = closedObject({
  id: uuid,
  ...STATE,
  administrativeAreaId: orNull(uuid),
  locationType: orNull(TEXT_SCHEMA),
  versions: VERSIONS,
});

const AREA: SchemaObject = closedObject({ id: uuid, ...STATE, parentId: orNull(uuid), versions: VERSIONS });

const list = (schema: SchemaObject, what: string): ApiResponseOptions => ({
  status: 200,
  description: `${what}, in the order of their ids; the flat members are those of the version in effect today`,
  schema: { type: 'array', items: schema },
  headers: {
    ...ETAG,
    Link: {
      description: 'With `limit`, while there is more: `<…>; rel="next"`',
      schema: { type: 'string' },
    },
  },
});

export const LOCATION_ANSWERS = {
  one: { status: 200, description: 'The location with its versions', schema: LOCATION },
  list: list(LOCATION, 'Locations'),
} as const satisfies Record<string, ApiResponseOptions>;

export const AREA_ANSWERS = {
  one: { status: 200, description: 'The administrative area with its versions', schema: AREA },
  list: list(AREA, 'Administrative areas'),
} as const satisfies Record<string, ApiResponseOptions>;
