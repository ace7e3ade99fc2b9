import type { EventAction } from '../../domain/record/event-action.js';
import type { FileUse } from '../../files/naming/file-naming.js';
import { filePathsOf } from '../../files/naming/file-paths.js';
import type { EventChange } from '../../records/event-change.js';

/** The files that new actions of an event name, and those that it has named before (F-1). */
export function filesOfChange({ record, newActions, knownActions, imported }: EventChange, writer: string): FileUse {
  return {
    eventId: record.id,
    writer,
    paths: pathsOf(newActions),
    named: () => [
      ...pathsOf(knownActions),
      ...(imported === undefined
        ? []
        : filePathsOf((JSON.parse(imported.body) as { declaration?: unknown }).declaration)),
    ],
  };
}

const pathsOf = (actions: readonly EventAction[]): readonly string[] =>
  filePathsOf(actions.map(({ declaration, annotation }) => [declaration, annotation]));
