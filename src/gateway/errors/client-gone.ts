/** The client closed its connection before its request was read: there is nobody to answer, and nothing is wrong here. */
export class ClientGone extends Error {
  constructor() {
    super('the client closed the connection');
    this.name = 'ClientGone';
  }
}
