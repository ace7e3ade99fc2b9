import type { FileUse } from '../files/file-naming.js';
import { filePathsOfActions, filePathsOfHistory } from '../files/file-paths.js';
import type { EventChange } from '../records/event-change.js';

/** By new and by earlier actions (F-1). */
export const filesOfChange = (
  { record, newActions, knownActions, imported }: EventChange,
  writer: string,
): FileUse => ({
  eventId: record.id,
  writer,
  paths: filePathsOfActions(newActions),
  named: () => filePathsOfHistory({ actions: knownActions, imported }),
});
