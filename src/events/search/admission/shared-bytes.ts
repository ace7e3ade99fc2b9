/** No client gets more than half. A single item always has room. */
export class SharedBytes {
  private bytes = 0;
  private readonly ofClients = new Map<string, number>();

  constructor(private readonly most: number) {}

  /** False if there is no room; what was taken must be given back. */
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
