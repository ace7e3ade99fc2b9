import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setImmediate as nextRound } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Capacities } from '../../platform/queue/capacities.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { namesEtag } from '../../auth/access/entity-tag.js';
import { type Answering, hangUpOf } from '../../platform/queue/hang-up.js';
import { nextLink } from '../../auth/access/next-link.js';
import { Refusals } from '../../platform/queue/refusals.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { KIB } from '../../kernel/domain/bytes.js';
import type { Place, VersionedPlace } from '../../kernel/domain/location.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { READING_PACE } from '../search/answer/reading-pace.js';
import { streamedBody } from '../search/answer/streamed-body.js';
import { type PlaceFilter, PlaceLists, type PlacePage } from './place-lists.js';

/** How much of a list is written in one step, and is in memory until its client takes it. */
const STEP_BYTES = 64 * KIB;
/** How many places are looked at in one step, whatever their texts. */
const STEP_PLACES = 1_000;

/** Undefined for 304. */
type Body = string | Readable | undefined;

/** How a list is written. */
interface Writing {
  readonly places: Iterable<VersionedPlace>;
  readonly textOf: (place: VersionedPlace) => string;
  /** Before the first and after the last place. */
  readonly head: string;
  readonly tail: string;
  /** The turns of its steps; a stranger's are counted by `client`, a network. */
  readonly capacity: 'places' | 'public-places';
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
 * Answers with lists of places. A country has 50,000: a list is written in steps, in turns with others and while
 * its client takes it, from texts that are kept. A client that has it already is told so by its `ETag` (RFC 9110 8.8.3).
 */
@Injectable()
export class PlaceAnswers {
  constructor(
    private readonly lists: PlaceLists,
    private readonly capacities: Capacities,
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
    const etag = `"${digestOf(listing.asked)}"`;
    reply.header('etag', etag);
    reply.header('cache-control', 'private, no-cache');
    if (namesEtag(request.headers['if-none-match'], etag)) {
      reply.status(304);
      return undefined;
    }
    reply.header('content-type', 'application/json; charset=utf-8');
    return this.textOf(listing, hungUp);
  }

  /** The pieces of the JSON text of a list, for answers of another form: tRPC's `list`. */
  async json(
    kind: Place['kind'],
    filter: PlaceFilter,
    caller: Caller,
    hungUp: AbortSignal,
  ): Promise<AsyncIterable<string>> {
    return this.pieces(this.listingOf(await this.lists.page(kind, filter), caller.subject), hungUp);
  }

  private listingOf({ places, today }: PlacePage, client: string): Writing {
    const textOf = (place: VersionedPlace): string => this.lists.textOf(place, today);
    return { places, textOf, head: '[', tail: ']', capacity: 'places', client };
  }

  private async textOf(listing: Writing, hungUp: AbortSignal): Promise<string | Readable> {
    const pieces = this.pieces(listing, hungUp);
    const { client } = listing;
    const first = await pieces.next();
    const second = await pieces.next();
    if (second.done === true) return first.value ?? '';
    return streamedBody({
      signal: hungUp,
      pace: READING_PACE,
      produce: async (write) => {
        await write(first.value ?? '');
        await write(second.value);
        for await (const piece of pieces) await write(piece);
      },
      onBroken: (error) => {
        if (error instanceof ServiceError && error.refusal !== undefined) this.refusals.note(error.refusal, client);
      },
    });
  }

  /** Each is written when it is asked for, in its turn. */
  private async *pieces(listing: Writing, hungUp: AbortSignal): AsyncGenerator<string, void> {
    const { capacity, client, head, tail } = listing;
    const places = listing.places[Symbol.iterator]();
    let text = head;
    let isFirst = true;
    let isOver = false;
    const step = (): void => {
      for (let left = STEP_PLACES; left > 0 && text.length < STEP_BYTES; left -= 1) {
        const next = places.next();
        if (next.done === true) {
          text += tail;
          isOver = true;
          return;
        }
        text += `${isFirst ? '' : ','}${listing.textOf(next.value)}`;
        isFirst = false;
      }
    };
    while (!isOver) {
      await this.capacities.run(capacity, { client, hungUp }, async () => {
        step();
        // One step in each round of the event loop, however many ask.
        await nextRound();
      });
      yield text;
      text = '';
    }
  }
}

/** Lists with equal values of `asked` have the same. */
export const digestOf = (asked: unknown): string =>
  createHash('sha256').update(JSON.stringify(asked)).digest('hex').slice(0, 32);
