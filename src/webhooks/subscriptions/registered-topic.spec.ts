import type { Uuid } from '../../domain/uuid.js';
import type { RegisteredSubscription } from './registered-topic.js';
import { RegisteredTopic } from './registered-topic.js';

const [ASPECT, MARK, OTHER_MARK] = [1, 10, 20];
const idOf = (at: number): Uuid => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}` as Uuid;
const one = (at: number, revision: bigint, ...marks: readonly number[]): RegisteredSubscription => ({
  id: idOf(at),
  revision,
  test: () => true,
  keptBytes: 0,
  requirement: { kind: 'marks', aspect: ASPECT, marks },
});

const search = (topic: RegisteredTopic, ...marks: readonly number[]): ReturnType<RegisteredTopic['candidates']> =>
  topic.candidates((isAsked) => (isAsked(ASPECT) ? marks : []));

const end = (steps: ReturnType<RegisteredTopic['candidates']>): readonly Uuid[] => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return [...step.value].sort();
  }
};

describe('the subscriptions of a topic', () => {
  it('are candidates by the marks that a record bears, and always where they are unrestricted or not known', () => {
    const topic = new RegisteredTopic(() => 100);
    topic.set(one(1, 1n, MARK));
    topic.set(one(2, 2n, OTHER_MARK));
    topic.set({ ...one(3, 3n), requirement: undefined });
    topic.set({ ...one(4, 4n), test: 'unrestricted', requirement: undefined });
    expect(end(search(topic, MARK))).toEqual([1, 3, 4].map(idOf));
    topic.set(one(1, 5n, OTHER_MARK));
    expect(end(search(topic, MARK))).toEqual([3, 4].map(idOf));
    topic.retain(new Set([idOf(2)]));
    expect(end(search(topic, OTHER_MARK))).toEqual([idOf(2)]);
    expect(topic.marks).toBe(1);
  });

  it('are candidates for every record where there is no room for their marks', () => {
    const topic = new RegisteredTopic(() => 0);
    topic.set(one(1, 1n, MARK));
    expect(end(search(topic, OTHER_MARK))).toEqual([idOf(1)]);
  });

  it('are not missed when they are changed while a record looks for them', () => {
    const topic = new RegisteredTopic(() => 100);
    topic.set(one(1, 1n, MARK));
    const steps = search(topic, OTHER_MARK, MARK);
    steps.next();
    topic.set(one(1, 2n, OTHER_MARK));
    topic.set(one(2, 3n, OTHER_MARK));
    expect(end(steps)).toEqual([1, 2].map(idOf));
    expect(end(search(topic, MARK))).toEqual([]);
  });

  it('are remembered without the tree of what they require, whose marks are filed', () => {
    const topic = new RegisteredTopic(() => 100);
    const { id, revision, test, keptBytes, requirement } = one(1, 1n, MARK);
    topic.set({ id, revision, test, keptBytes, requirement });
    expect(topic.get(id)).toEqual({ revision, test, keptBytes });
    expect(topic.marks).toBe(1);
  });
});
