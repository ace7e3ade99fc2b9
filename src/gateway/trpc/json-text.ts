import type { Text } from './envelope.js';

/** Ready JSON text, passed through: a page can be megabytes. */
export class JsonText {
  constructor(readonly text: Text) {}
}
