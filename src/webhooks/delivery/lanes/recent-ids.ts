/** Remembers the latest ids that it was given. */
export class RecentIds {
  private readonly ids = new Set<string>();

  constructor(private readonly most: number) {}

  add(id: string): void {
    this.ids.delete(id);
    this.ids.add(id);
    const [oldest] = this.ids;
    if (this.ids.size > this.most && oldest !== undefined) this.ids.delete(oldest);
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }
}
