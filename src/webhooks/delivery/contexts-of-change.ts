import { randomUUID } from 'node:crypto';
import type { Steps } from '../../platform/queue/time-slice.js';
import type { EventRecord } from '../../kernel/domain/event-record.js';
import { contextBundle } from '../context/context-bundle.js';
import type { FilesByPath } from '../../events/write/event-publisher.js';
import { dayOfNames, type NamedPlaces } from '../context/named-places.js';
import { contextText, type NotificationFormat } from '../notification/notification-format.js';
import type { ContextRow } from './outbox-writer.js';
import type { TopicalChange } from './published-change.js';
import type { Subscriber } from './subscriber.js';

/** What a change looks like to some of its audience, in each format that they ask for. */
export interface Version {
  readonly record: EventRecord;
  readonly contexts: ReadonlyMap<NotificationFormat, ContextRow>;
}

/** The contexts of a change: one version for each way in which its record is `shown`. */
export function* contextsOf(
  { action, topic }: TopicalChange,
  { areaOf, nameOn, timezone, files }: NamedPlaces & { readonly timezone: string; readonly files: FilesByPath },
  audience: readonly Subscriber[],
  shown: (subscriber: Subscriber) => EventRecord,
): Steps<readonly Version[]> {
  const records = new Set<EventRecord>();
  for (const subscriber of audience) {
    records.add(shown(subscriber));
    yield;
  }
  const versions: Version[] = [];
  for (const record of records) {
    const day = dayOfNames(record, timezone);
    const bundle = contextBundle({
      topic,
      record,
      actionId: action.id,
      files,
      areaOf,
      nameOf: (place) => nameOn(place, day),
    });
    const formats = new Set(audience.filter((one) => shown(one) === record).map(({ format }) => format));
    const contexts = new Map<NotificationFormat, ContextRow>();
    for (const format of formats) {
      yield;
      contexts.set(format, { id: randomUUID(), body: yield* contextText(bundle, format) });
    }
    versions.push({ record, contexts });
    yield;
  }
  return versions;
}
