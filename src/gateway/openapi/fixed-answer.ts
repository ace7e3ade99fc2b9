import { hash } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { namesEtag } from '../../auth/access/request-target.js';

/** Equal for all, and shared (G-11). */
export class FixedAnswer {
  private readonly etag: string;

  constructor(
    private readonly bytes: Buffer,
    private readonly contentType: string,
  ) {
    this.etag = `"${hash('sha256', bytes, 'base64url')}"`;
  }

  /** 200, or 304 for a cached copy (RFC 9110 13.1.2). */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.headers({ 'cache-control': 'no-cache', etag: this.etag });
    if (namesEtag(request.headers['if-none-match'], this.etag)) await reply.status(304).send();
    else await reply.type(this.contentType).send(this.bytes);
  }
}
