import type { PublishedChange } from '../../events/write/event-publisher.js';
import type { Topic } from '../../kernel/domain/life-cycle/topic.js';
import { topicOfChange } from '../../kernel/domain/life-cycle/topic-of-change.js';

/** A change that has a topic. */
export interface TopicalChange extends PublishedChange {
  readonly topic: Topic;
}

/** The same, if it has one. */
export function topicalOf(change: PublishedChange): TopicalChange[] {
  const { record, action } = change;
  const topic = topicOfChange({ eventType: record.type, action: action.type, status: action.status });
  return topic === undefined ? [] : [{ ...change, topic }];
}
