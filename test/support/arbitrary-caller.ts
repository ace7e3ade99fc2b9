import fc from 'fast-check';
import type { RecordOptions, RowFilter } from '../../src/kernel/domain/scopes/caller.js';
import { EVENT_STATUSES, type Somebody } from '../../src/kernel/domain/event-record.js';
import type { CopyName } from '../../src/kernel/domain/secured-fields.js';
import type { Guard } from '../../src/events/search/request/refuse-secured.js';
import { someOf } from './arbitrary-clause.js';
import { below, DISTRICT, OFFICE, OTHER_PROVINCE, PROVINCE, UNKNOWN_PLACE } from './hierarchy.js';
import { EVENT_TYPES, FIELD_IDS, FLAGS, PEOPLE } from './vocabulary.js';

/** A place that a caller's office gives him, with everything below it. */
const places = fc.constantFrom(PROVINCE, OTHER_PROVINCE, DISTRICT, OFFICE, UNKNOWN_PLACE).map(below);

/** Who the caller is, where a scope covers what he has done himself. */
const somebody: fc.Arbitrary<Somebody> = fc.record({
  subject: fc.constantFrom(...PEOPLE),
  userType: fc.constantFrom('user', 'user', 'system'),
});

/** The options of a scope. */
export const someOptions: fc.Arbitrary<RecordOptions> = fc.record(
  {
    event: someOf(...EVENT_TYPES),
    status: someOf(...EVENT_STATUSES),
    flags: fc.record(
      { anyOf: someOf(...FLAGS), noneOf: someOf(...FLAGS), allOf: someOf(...FLAGS) },
      { requiredKeys: [] },
    ),
    placeOfEvent: fc.constantFrom('all', 'all', 'location'),
    declaredIn: fc.constantFrom('all', 'all', 'administrativeArea'),
    declaredBy: somebody,
    registeredBy: somebody,
    notifiedBy: somebody,
    within: fc.record(
      { placeOfEvent: places, declaredIn: places, registeredIn: places, notifiedIn: places },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

/** What the caller must not learn of records that he may not read: nothing, for most. */
export const aGuard: fc.Arbitrary<Guard | undefined> = fc.option(
  fc.record({
    secured: fc
      .array(
        fc.tuple(
          fc.constantFrom(...EVENT_TYPES),
          fc.record({
            fieldIds: fc.shuffledSubarray(FIELD_IDS, { minLength: 1 }).map((ids) => new Set(ids)),
            copies: fc.subarray<CopyName>(['dateOfEvent', 'placeOfEvent']).map((names) => new Set(names)),
          }),
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((entries) => new Map(entries)),
    readable: fc.array(someOptions, { minLength: 1, maxLength: 2 }),
  }),
  { nil: undefined, freq: 2 },
);

/** Everything for most callers; else what up to two restricted scopes admit. */
export const aReach: fc.Arbitrary<RowFilter> = fc.oneof(
  { arbitrary: fc.constant<RowFilter>('everything'), weight: 3 },
  { arbitrary: fc.array(someOptions, { maxLength: 2 }), weight: 1 },
);
