import type { Text } from './envelope.js';

/** An answer that is JSON text already: it is passed on as it is, since a page can be megabytes. */
export class JsonText {
  constructor(readonly text: Text) {}
}
