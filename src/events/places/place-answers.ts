import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setImmediate as nextRound } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Capacities } from '../../platform/queue/capacities.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { namesEtag, nextLink } from '../../auth/access/request-target.js';
import { type Answering, hangUpOf } from '../../platform/queue/hang-up.js';
import { Refusals } from '../../platform/queue/refusals.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { KIB } from '../../kernel/domain/bytes.js';
import type { Place, VersionedPlace } from '../../kernel/domain/location.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { streamedBody } from '../search/answer/streamed-body.js';
import { type PlaceFilter, PlaceLists, type PlacePage } from './place-lists.js';

/** In memory until the client reads it. */
const STEP_BYTES = 64 * KIB;
const STEP_PLACES = 1_000;

/** Undefined for 304. */
type Body = string | Readable | undefined;

interface Writing {
  readonly places: Iterable<VersionedPlace>;
  readonly textOf: (place: VersionedPlace) => string;
  readonly head: string;
  readonly tail: string;
  /** Strangers take turns by `client`, a network. */
  readonly capacity: 'places' | 'public-places';
  readonly client: string;
}

export interface Listing extends Writing {
  /** Equal for equal lists. */
  readonly asked: unknown;
}

export interface ListRequest {
  readonly caller: Caller;
  readonly headers: { readonly 'if-none-match'?: string };
  /** As the client wrote it. */
  readonly originalUrl: string;
}

export interface ListReply extends Answering {
  header(name: string, value: string): unknown;
  status(status: number): unknown;
}

/** Streams up to 50,000 places from cached texts, in steps that take turns. Supports `ETag` (RFC 9110 8.8.3). */
@Injectable()
export class PlaceAnswers {
  constructor(
    private readonly lists: PlaceLists,
    private readonly capacities: Capacities,
    private readonly refusals: Refusals,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL'>,
  ) {}

  /** Undefined for 304. */
  async list(kind: Place['kind'], filter: PlaceFilter, request: ListRequest, reply: ListReply): Promise<Body> {
    const page = await this.lists.page(kind, filter);
    if (page.next !== undefined) reply.header('link', nextLink(page.next, request.originalUrl, this.config.PUBLIC_URL));
    const listing = { ...this.listingOf(page, request.caller.subject), asked: [kind, filter, page.state] };
    return this.answer(listing, request, reply);
  }

  /** Undefined for 304. */
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

  /** For answers such as tRPC's `list`. */
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

  /** Each chunk is written on demand, in its turn. */
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
        // One step per event loop round.
        await nextRound();
      });
      yield text;
      text = '';
    }
  }
}

export const digestOf = (asked: unknown): string =>
  createHash('sha256').update(JSON.stringify(asked)).digest('hex').slice(0, 32);
