import type { Issue } from '../../errors/service-error.js';
import type { KnownWords } from '../search/fuzzy/known-words.js';
import type { WordsAtPath } from '../search/fuzzy/words-of-facts.js';
import type { NdjsonLine } from './ndjson-lines.js';
import { parseImportLine } from './parse-import-line.js';
import type { PreparedEvent } from './prepare-event.js';
import { prepareEvent } from './prepare-event.js';

/** A line of an import, ready to be written or to be rejected. */
export type ImportEntry =
  | { readonly kind: 'event'; readonly line: NdjsonLine; readonly event: PreparedEvent }
  | {
      readonly kind: 'rejected';
      readonly line: NdjsonLine;
      readonly id: string | undefined;
      readonly issues: readonly Issue[];
    };

/** What a line says, with everything that can be made of it before it is written: of its words, those that are not known. */
export function importEntry(line: NdjsonLine, knownWords: KnownWords): ImportEntry {
  const read = parseImportLine(line);
  if (read.kind === 'rejected') return { kind: 'rejected', line, id: read.id, issues: read.issues };
  const event = prepareEvent(read.event);
  const words = event.row.words.flatMap((at) => unknown(at, knownWords));
  return { kind: 'event', line, event: { ...event, row: { ...event.row, words } } };
}

function unknown(at: WordsAtPath, knownWords: KnownWords): readonly WordsAtPath[] {
  const missing = knownWords.missing(at);
  return missing.length === 0 ? [] : [{ ...at, words: new Set(missing) }];
}
