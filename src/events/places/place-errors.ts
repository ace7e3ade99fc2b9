import type { CalendarDate } from '../../kernel/domain/calendar.js';
import { MOST_VERSIONS, type Place } from '../../kernel/domain/location.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';

type Kind = Place['kind'];

const NOUNS = { location: 'location', administrativeArea: 'administrative area' } as const satisfies Record<
  Kind,
  string
>;

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Refusals with upstream's statuses and, where known, texts (L-1). */
export const placeErrors = {
  notFound: (kind: Kind, id: string) =>
    new ServiceError('NOT_FOUND', `${capitalized(NOUNS[kind])} not found with ID: ${id}`),

  versionNotFound: (versionId: string) => new ServiceError('NOT_FOUND', `Version not found with ID: ${versionId}`),

  existsOtherwise: (kind: Kind, id: Uuid, members: readonly string[]) =>
    new ServiceError(
      'CONFLICT',
      `${kind === 'location' ? 'A' : 'An'} ${NOUNS[kind]} with id ${id} already exists with different ${members.join(', ')}`,
    ),

  externalIdTaken: (kind: Kind, externalId: string) =>
    new ServiceError('CONFLICT', `An active ${NOUNS[kind]} with externalId ${externalId} already exists`),

  versionIdTaken: (versionId: Uuid) => new ServiceError('CONFLICT', `The versionId ${versionId} is already used`),

  notNewest: (kind: Kind, lastVersionId: Uuid) =>
    new ServiceError(
      'CONFLICT',
      `The version ${lastVersionId} is not the newest of this ${NOUNS[kind]}: refresh and retry`,
    ),

  dayTaken: (effectiveFrom: CalendarDate) =>
    new ServiceError('CONFLICT', `A version with effectiveFrom ${effectiveFrom} already exists`),

  beforeNewest: (effectiveFrom: CalendarDate, newest: CalendarDate) =>
    new ServiceError(
      'UNPROCESSABLE_CONTENT',
      `effectiveFrom ${effectiveFrom} is earlier than that of the newest version, ${newest}`,
    ),

  tooManyVersions: (kind: Kind) =>
    new ServiceError('CONFLICT', `This ${NOUNS[kind]} has ${MOST_VERSIONS} versions: no more can be added`),

  onlyVersion: () => new ServiceError('CONFLICT', 'The only version cannot be withdrawn'),

  inEffect: (versionId: Uuid) => new ServiceError('CONFLICT', `The version ${versionId} is already in effect`),
};
