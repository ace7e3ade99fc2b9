import type { IncomingMessage } from 'node:http';

type Push = (piece: Buffer | null) => boolean;

/**
 * The pieces of a body in chunks that Node's parser finds in one step, passed on as one. Each chunk is a piece, and an
 * object of some hundred bytes until somebody has read it, though its client may send a byte in each. Of a body with a
 * length, a step has one piece.
 */
export class BodyPieces {
  private found: Buffer[] = [];
  private push: Push = () => true;

  /** `pause`: called when nobody has read what was passed on before. */
  constructor(private readonly pause: () => void) {}

  /** Takes what the parser finds of the body of a request, from its head on. */
  of(request: IncomingMessage): void {
    this.push = request.push.bind(request);
    request.push = (piece: Buffer | null) => {
      if (piece !== null) this.found.push(piece);
      else this.end();
      return true;
    };
  }

  /** To be called after each step. */
  passOn(): void {
    const [first, ...others] = this.found;
    if (first === undefined) return;
    const piece = others.length === 0 ? first : Buffer.concat(this.found);
    this.found = [];
    if (!this.push(piece)) this.pause();
  }

  private end(): void {
    this.passOn();
    this.push(null);
  }
}
