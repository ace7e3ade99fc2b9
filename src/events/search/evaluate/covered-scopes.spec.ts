import fc from 'fast-check';

import { aLegalStatus } from '../../../../test/support/builders/a-legal-status.js';
import { aRecord } from '../../../../test/support/builders/a-record.js';
import { rowFilterWith } from '../../../kernel/domain/scopes/caller.js';
import { covers, holds } from '../../../auth/access/covers.js';
import { grantsOf } from '../../../auth/access/scope-permissions.js';
import { EVENT_STATUSES } from '../../../kernel/domain/event-record.js';
import type { ScopeOptions } from '../../../kernel/domain/scopes/scope.js';
import type { Candidate, CandidateTest } from './test-of-value.js';
import { testOfRowFilter } from './test-of-query.js';

const FLAGS = ['sealed', 'incomplete', 'urgent'];
const TYPES = ['birth', 'death'];
const STATUSES = EVENT_STATUSES.slice(1, 3);

const present = (value: object): ScopeOptions =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined, freq: 2 });
const someOfThem = <T>(items: readonly T[], minLength = 0): fc.Arbitrary<T[] | undefined> =>
  maybe(fc.subarray([...items], { minLength }));

const someOptions: fc.Arbitrary<ScopeOptions> = fc
  .record({
    event: someOfThem(TYPES),
    status: someOfThem(STATUSES),
    flags: maybe(
      fc
        .record({ anyOf: someOfThem(FLAGS), noneOf: someOfThem(FLAGS, 1), allOf: someOfThem(FLAGS, 1) })
        .map((flags) => present(flags)),
    ),
    declaredBy: maybe(fc.constant('user' as const)),
    notifiedBy: maybe(fc.constant('user' as const)),
  })
  .map(present);

const aCandidate: fc.Arbitrary<Candidate> = fc
  .record({
    type: fc.constantFrom(...TYPES),
    status: fc.constantFrom(...STATUSES),
    flags: fc.subarray(FLAGS),
    declaredBy: fc.constantFrom('me', 'another'),
    notifiedBy: fc.constantFrom('me', undefined),
  })
  .map(({ declaredBy, notifiedBy, ...members }) => ({
    record: aRecord({
      ...members,
      legalStatuses: { DECLARED: aLegalStatus({ createdBy: declaredBy }), REGISTERED: null },
    }),
    facts: {},
    notifiedBy,
    nowMs: 0,
  }));

/** What these admit for `me`, who is a person. */
const admitting = (options: readonly ScopeOptions[]): CandidateTest =>
  testOfRowFilter(rowFilterWith(options, { subject: 'me', userType: 'user' }));

describe('covers', () => {
  it('is true only where the row filters of the held scopes admit what those of the asked one admit', () => {
    let covered = 0;
    let admitted = 0;
    fc.assert(
      fc.property(
        fc.array(someOptions, { maxLength: 3 }),
        someOptions,
        fc.array(aCandidate, { minLength: 8, maxLength: 16 }),
        (held, asked, candidates) => {
          if (!covers(held, asked)) return;
          covered += 1;
          const [isHeld, isAsked] = [admitting(held), admitting([asked])];
          for (const candidate of candidates.filter(isAsked)) {
            admitted += 1;
            if (!isHeld(candidate)) throw new Error(JSON.stringify(candidate.record));
          }
        },
      ),
      { numRuns: 5_000 },
    );
    expect([covered > 200, admitted > 200]).toEqual([true, true]);
  });

  it('is true for what is held, and for anything narrower', () => {
    fc.assert(
      fc.property(someOptions, someOptions, (held, narrower) => {
        expect(covers([held], held)).toBe(true);
        expect(covers([{}], held)).toBe(true);
        // Without flags, which do not simply replace one another, the second restricts the first further.
        const { event, status, declaredBy, notifiedBy } = narrower;
        const events = event?.filter((one) => held.event?.includes(one) ?? true);
        const statuses = status?.filter((one) => held.status?.includes(one) ?? true);
        expect(
          covers([held], {
            ...held,
            ...present({
              declaredBy: declaredBy ?? held.declaredBy,
              notifiedBy: notifiedBy ?? held.notifiedBy,
              event: events ?? held.event,
              status: statuses ?? held.status,
            }),
          }),
        ).toBe(true);
      }),
    );
  });

  it.each<[readonly string[], string, boolean]>([
    [['record.read'], 'type=record.read&event=birth', true],
    [['type=record.read&event=birth'], 'record.read', false],
    [['type=record.read&event=birth'], 'type=record.search&event=birth', false],
    [['type=record.read&event=birth', 'type=record.read&event=death'], 'type=record.read&event=birth,death', true],
    [['type=record.read&event=birth,death'], 'type=record.read&event=birth,marriage', false],
    [['type=record.read&flags.noneOf=sealed'], 'record.read', false],
    [['type=record.read&flags.noneOf=sealed'], 'type=record.read&flags.noneOf=sealed,urgent', true],
    [['type=record.read&flags.anyOf=a,b'], 'type=record.read&flags.anyOf=b', true],
    [['type=record.read&flags.anyOf=a,b'], 'type=record.read&flags.allOf=c,a', true],
    [['type=record.read&flags.anyOf=a'], 'type=record.read&flags.anyOf=a,b&flags.noneOf=b', true],
    [['type=record.read&placeOfEvent=administrativeArea'], 'type=record.read&placeOfEvent=location', true],
    [['type=record.read&placeOfEvent=location'], 'type=record.read&placeOfEvent=administrativeArea', false],
    [['type=record.read&placeOfEvent=location'], 'record.read', false],
    [['type=record.read&declaredBy=user'], 'type=record.read&declaredBy=user&event=birth', true],
    [['type=record.custom-action&customActionTypes=A,B'], 'type=record.custom-action&customActionTypes=B', true],
    [['type=record.custom-action&customActionTypes=A'], 'record.custom-action', false],
    [['type=record.read&event=birth'], 'type=record.read&event=', true],
    [[], 'type=record.read&event=', false],
    [['recordsearch'], 'record.search', true],
    [['record.search'], 'recordsearch', false],
    [['health'], 'type=record.notify&event=birth', true],
  ])('%j hold %j: %p', (held, asked, expected) => {
    const grants = (scopes: readonly string[]) => grantsOf(scopes, () => undefined);
    expect(grants([asked]).every((grant) => holds(grants(held), grant))).toBe(expected);
  });
});
