import type { Readable } from 'node:stream';

/** An answer that is JSON text already: it is passed on as it is, since a page can be megabytes. */
export class JsonText {
  constructor(readonly text: string | Buffer | Readable) {}
}
