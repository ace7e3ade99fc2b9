/**
 * So many bytes of memory that clients share: no client has more than half of them. What is there alone always has
 * room.
 */
export class SharedBytes {
  private bytes = 0;
  /** By client; none is zero. */
  private readonly ofClients = new Map<string, number>();

  constructor(private readonly most: number) {}

  /** Whether there was room; what was taken is to be given back. */
  take(client: string, bytes: number): boolean {
    const own = this.ofClients.get(client) ?? 0;
    const hasRoom =
      (this.bytes === 0 || this.bytes + bytes <= this.most) && (own === 0 || own + bytes <= this.most / 2);
    if (!hasRoom) return false;
    this.bytes += bytes;
    this.ofClients.set(client, own + bytes);
    return true;
  }

  giveBack(client: string, bytes: number): void {
    this.bytes -= bytes;
    const left = (this.ofClients.get(client) ?? 0) - bytes;
    if (left > 0) this.ofClients.set(client, left);
    else this.ofClients.delete(client);
  }
}
