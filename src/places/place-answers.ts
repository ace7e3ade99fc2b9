import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

import { Inject, Injectable } from '@nestjs/common';

import type { Caller } from '../access/caller.js';
import { namesEtag } from '../access/entity-tag.js';
import type { Answering } from '../access/hang-up.js';
import { hangUpOf } from '../access/hang-up.js';
import { nextLink } from '../access/next-link.js';
import { Refusals } from '../access/refusals.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.js';
import type { Place, VersionedPlace } from '../domain/location.js';
import { ServiceError } from '../errors/service-error.js';
import { READING_PACE } from '../search/answer/reading-pace.js';
import { streamedBody } from '../search/answer/streamed-body.js';
import type { PlaceFilter, PlacePage } from './place-lists.js';
import { PlaceLists } from './place-lists.js';
import { PlaceTurns } from './place-turns.js';

/** Shorter lists are written at once, in less than a millisecond. */
const SHORT = 500;
/** How many places of a longer list are written in one step, and are in memory until its client takes them. */
const STEP = 200;

/** Undefined for 304. */
type Body = string | Readable | undefined;

/** How a list is written. */
interface Writing {
  readonly places: readonly VersionedPlace[];
  readonly textOf: (place: VersionedPlace) => string;
  /** Before the first and after the last place. */
  readonly head: string;
  readonly tail: string;
  /** Who has asked, for turns and refusals. */
  readonly client: string;
}

/** A list that answers a request. */
export interface Listing extends Writing {
  /** Two lists with equal values here are equal. */
  readonly asked: unknown;
}

/** A request for a list. */
export interface ListRequest {
  readonly caller: Caller;
  readonly headers: { readonly 'if-none-match'?: string };
  /** As the client wrote it. */
  readonly originalUrl: string;
}

/** The answer to a list, before it is sent. */
export interface ListReply extends Answering {
  header(name: string, value: string): unknown;
  status(status: number): unknown;
}

/**
 * Answers with lists of places. A country has 50,000: a long list is written in steps, while its client takes it, from
 * texts that are kept; a client that has the list already is told so by its `ETag` (RFC 9110 8.8.3).
 */
@Injectable()
export class PlaceAnswers {
  constructor(
    private readonly lists: PlaceLists,
    private readonly turns: PlaceTurns,
    private readonly refusals: Refusals,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL'>,
  ) {}

  /** The body of a list of one kind; undefined when the client has it already. */
  async list(kind: Place['kind'], filter: PlaceFilter, request: ListRequest, reply: ListReply): Promise<Body> {
    const page = await this.lists.page(kind, filter);
    if (page.next !== undefined) reply.header('link', nextLink(page.next, request.originalUrl, this.config.PUBLIC_URL));
    const listing = { ...this.listingOf(page, request.caller.subject), asked: [kind, filter, page.state] };
    return this.answer(listing, request, reply);
  }

  /** The body of a list; undefined when the client has it already. */
  async answer(listing: Listing, request: Pick<ListRequest, 'headers'>, reply: ListReply): Promise<Body> {
    const hungUp = hangUpOf(reply);
    const etag = etagOf(listing.asked);
    reply.header('etag', etag);
    reply.header('cache-control', 'private, no-cache');
    if (namesEtag(request.headers['if-none-match'], etag)) {
      reply.status(304);
      return undefined;
    }
    reply.header('content-type', 'application/json; charset=utf-8');
    return this.textOf(listing, hungUp);
  }

  /** The JSON text of a whole list, for answers of another form: tRPC's `list`. */
  async json(
    kind: Place['kind'],
    filter: PlaceFilter,
    caller: Caller,
    hungUp: AbortSignal,
  ): Promise<string | Readable> {
    const page = await this.lists.page(kind, filter);
    return this.textOf(this.listingOf(page, caller.subject), hungUp);
  }

  private listingOf({ places, today }: PlacePage, client: string): Writing {
    return { places, textOf: (place) => this.lists.textOf(place, today), head: '[', tail: ']', client };
  }

  /** A long list is written while its client takes it. */
  private async textOf(listing: Writing, hungUp: AbortSignal): Promise<string | Readable> {
    const { places, head, tail, client } = listing;
    if (places.length <= SHORT) return `${head}${textOf(listing, 0, SHORT)}${tail}`;
    return streamedBody({
      signal: hungUp,
      pace: READING_PACE,
      produce: async (write) => {
        for (let from = 0; from < places.length; from += STEP) {
          const text = await this.turns.step(client, hungUp, () => textOf(listing, from, STEP));
          await write(`${from === 0 ? head : ','}${text}`);
        }
        await write(tail);
      },
      onBroken: (error) => {
        if (error instanceof ServiceError && error.refusal !== undefined) this.refusals.note(error.refusal, client);
      },
    });
  }
}

const textOf = ({ places, textOf: write }: Writing, from: number, count: number): string =>
  places
    .slice(from, from + count)
    .map(write)
    .join(',');

const etagOf = (asked: unknown): string =>
  `"${createHash('sha256').update(JSON.stringify(asked)).digest('base64url').slice(0, 22)}"`;
