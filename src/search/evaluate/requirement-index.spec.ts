import fc from 'fast-check';

import type { Uuid } from '../../domain/uuid.js';
import type { Requirement } from './requirement.js';
import { eachRequired, someRequired, UNMEETABLE } from './requirement.js';
import { RequirementIndex } from './requirement-index.js';

const idOf = (at: number): Uuid => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}` as Uuid;
const one = (aspect: number, ...marks: readonly number[]): Requirement => ({ kind: 'marks', aspect, marks });
const ROOM = 1_000_000;

const found = (index: RequirementIndex, ...marks: readonly number[]): Uuid[] => {
  const ids = new Set<Uuid>();
  for (const mark of marks) index.collect(mark, ids);
  return [...ids].sort();
};

const isMet = (requirement: Requirement, borne: ReadonlySet<number>): boolean => {
  if (requirement.kind === 'marks') return requirement.marks.some((mark) => borne.has(mark));
  const met = requirement.parts.map((part) => isMet(part, borne));
  return requirement.kind === 'each' ? met.every(Boolean) : met.some(Boolean);
};

/** Marks reveal their aspect, and some share a posting list. */
const aMark = fc.constantFrom(1, 2, 3, 1 << 16, (1 << 16) + 1, 0xffffffff);
const { requirement: aRequirement } = fc.letrec<{ requirement: Requirement }>((tie) => ({
  requirement: fc.oneof(
    { maxDepth: 3 },
    fc.array(aMark, { maxLength: 3 }).map((marks) => one(7, ...marks)),
    fc.array(tie('requirement'), { minLength: 1, maxLength: 3 }).map((parts): Requirement => ({ kind: 'each', parts })),
    fc.array(tie('requirement'), { maxLength: 3 }).map((parts): Requirement => ({ kind: 'some', parts })),
  ),
}));

describe('an index of requirements', () => {
  it('finds everyone whose requirement is met, whoever came and went before', () => {
    const aStep = fc.record({ at: fc.nat(30), requirement: fc.option(aRequirement, { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(aStep, { maxLength: 80 }), fc.uniqueArray(aMark), (steps, marks) => {
        const index = new RequirementIndex();
        const filed = new Map<Uuid, Requirement>();
        for (const { at, requirement } of steps) {
          index.remove(idOf(at));
          filed.delete(idOf(at));
          if (requirement === undefined) continue;
          expect(index.add(idOf(at), requirement, ROOM)).toBe(true);
          filed.set(idOf(at), requirement);
        }
        const borne = new Set(marks);
        const candidates = new Set(found(index, ...marks));
        for (const [id, requirement] of filed) if (isMet(requirement, borne)) expect(candidates).toContain(id);
        expect([...candidates].filter((id) => !filed.has(id))).toEqual([]);
      }),
    );
  });

  it('files under what the fewest ask for: a type that all have finds few', () => {
    const index = new RequirementIndex();
    const [type, status] = [one(1, 100), one(2, 200)];
    for (let at = 0; at < 1_000; at += 1) {
      index.add(idOf(at), { kind: 'each', parts: [type, status, one(3, 10_000 + at, 20_000 + at)] }, ROOM);
    }
    expect(found(index, 100, 200).length).toBeLessThan(5);
    expect(found(index, 10_500)).toEqual([idOf(500)]);
  });

  it('tells which aspects are asked for, as long as somebody does', () => {
    const index = new RequirementIndex();
    index.add(idOf(1), { kind: 'some', parts: [one(1, 10), one(2, 10)] }, ROOM);
    index.add(idOf(2), one(1, 20), ROOM);
    const asked = (): boolean[] => [1, 2, 3].map((aspect) => index.isAsked(aspect));
    expect(asked()).toEqual([true, true, false]);
    index.remove(idOf(1));
    expect(asked()).toEqual([true, false, false]);
    index.remove(idOf(2));
    expect(asked()).toEqual([false, false, false]);
    expect(index.size).toBe(0);
  });

  it('takes no more than there is room for', () => {
    const index = new RequirementIndex();
    expect(index.add(idOf(1), one(1, 1, 2, 3), 2)).toBe(false);
    expect(index.add(idOf(1), one(1, 1, 2, 2), 2)).toBe(true);
    expect([found(index, 2), index.size]).toEqual([[idOf(1)], 2]);
  });

  it('stays as small as what is filed, however many come and go', () => {
    const index = new RequirementIndex();
    const marks = Array.from({ length: 29 }, (_, at) => at);
    for (let round = 0; round < 3_000; round += 1) {
      index.add(idOf(round), one(1, ...marks.map((mark) => 100 * round + mark)), ROOM);
      if (round >= 10) index.remove(idOf(round - 10));
    }
    expect(index.size).toBeLessThan(2_000);
    expect(found(index, 299_900)).toEqual([idOf(2_999)]);
  });
});

describe('requirements', () => {
  it('are known of all parts as soon as of one, and of some parts when of all', () => {
    expect(eachRequired([undefined, one(1, 1)])).toEqual(one(1, 1));
    expect(eachRequired([undefined])).toBeUndefined();
    expect(someRequired([undefined, one(1, 1)])).toBeUndefined();
    expect(someRequired([one(1, 1)])).toEqual(one(1, 1));
    expect(someRequired([])).toEqual(UNMEETABLE);
  });
});
