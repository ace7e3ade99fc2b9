import type { CopyName, SecuredFields } from '../secured-fields.js';
import type { EventType } from './event-type.js';

const COPIES: readonly CopyName[] = ['dateOfEvent', 'placeOfEvent'];

/** Secured fields, and copies of them in `dateOfEvent` and `placeOfEvent` (E-10). */
export const securedFieldsOf = (types: Iterable<EventType>): SecuredFields =>
  new Map(
    [...types].flatMap(({ id, fields, ...type }) => {
      const secured = [...(fields?.values() ?? [])].flatMap((field) => (field.isSecured ? [field.id] : []));
      if (secured.length === 0) return [];
      const fieldIds = new Set(secured);
      return [
        [id, { fieldIds, copies: new Set(COPIES.filter((copy) => type[copy].some((from) => fieldIds.has(from)))) }],
      ];
    }),
  );
